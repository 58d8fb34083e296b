/// A public key of RSA, whose signatures are PSS with SHA-256 and MGF1-SHA256 (RFC 8017 section 8.1).
package struct RSAPublicKey: Hashable, Sendable {
  private static let algorithm = "RSA"
  /// Shorter ones can be broken; longer ones cost their readers more time than any signer needs.
  package static let modulusBits = 2048...16384

  /// The DER form, however the key was spelled.
  package let subjectPublicKeyInfo: [UInt8]

  /// Reads SPKI PEM.
  ///
  /// - Throws: ``KeyError``; `wrongAlgorithm`, `wrongModulus` and `weakExponent` for keys that are not fit.
  package init(pem: String) throws(KeyError) {
    try self.init(subjectPublicKeyInfo: try Signatures.subjectPublicKeyInfo(pem: pem))
  }

  /// Reads the DER form, as ``init(pem:)`` does.
  package init(subjectPublicKeyInfo info: [UInt8]) throws(KeyError) {
    let key = try CryptoKey(subjectPublicKeyInfo: info)
    guard key.isRSA else {
      throw .wrongAlgorithm(expected: Self.algorithm, found: key.curve ?? key.algorithm)
    }
    guard Self.modulusBits.contains(key.bitCount) else {
      throw .wrongModulus(bits: key.bitCount, allowed: Self.modulusBits)
    }
    guard key.hasSafeExponent else { throw .weakExponent }
    subjectPublicKeyInfo = key.subjectPublicKeyInfo
  }

  /// Whether the owner of this key signed `message`; the length of the salt is read from the signature.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    CryptoKey.verifies(signature, of: message, by: subjectPublicKeyInfo, padding: .pss)
  }
}
