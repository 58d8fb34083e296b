/// A public key of ECDSA on the curve P-256, whose signatures are over SHA-256 and in DER (FIPS 186-5, RFC 3279).
package struct ECDSAPublicKey: Hashable, Sendable {
  private static let algorithm = "ECDSA P-256"
  /// The name of the curve in libcrypto.
  private static let curve = "prime256v1"
  /// What stands before the coordinates in SubjectPublicKeyInfo (RFC 5480), with the point uncompressed.
  private static let infoPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]

  /// The DER form with the uncompressed point, however the key was spelled.
  package let subjectPublicKeyInfo: [UInt8]

  /// Reads SPKI PEM; the point may be compressed.
  ///
  /// - Throws: ``KeyError``; `wrongAlgorithm` for a key of another kind or curve.
  package init(pem: String) throws(KeyError) {
    try self.init(subjectPublicKeyInfo: try Signatures.subjectPublicKeyInfo(pem: pem))
  }

  /// Reads the DER form, as ``init(pem:)`` does.
  package init(subjectPublicKeyInfo info: [UInt8]) throws(KeyError) {
    let key = try CryptoKey(subjectPublicKeyInfo: info)
    guard key.isElliptic, key.curve == Self.curve else {
      throw .wrongAlgorithm(expected: Self.algorithm, found: key.curve ?? key.algorithm)
    }
    guard let x = key.coordinate(.x), let y = key.coordinate(.y) else { throw .notOnCurve }
    subjectPublicKeyInfo = Self.infoPrefix + x + y
  }

  /// Whether the owner of this key signed `message`, with a signature in DER.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    CryptoKey.verifies(signature, of: message, by: subjectPublicKeyInfo, padding: .none)
  }
}
