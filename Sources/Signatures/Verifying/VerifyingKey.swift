/// A public key with which signatures of repository metadata are verified.
///
/// Everything of ours is signed with Ed25519; the other two are what foreign repositories use. Two values are equal when
/// they are one key, in whatever spelling each was read.
package enum VerifyingKey: Hashable, Sendable {
  case ed25519(PublicKey)
  case ecdsa(ECDSAPublicKey)
  case rsa(RSAPublicKey)

  /// The one DER form of the key (RFC 5280 section 4.1.2.7): two keys are the same when these bytes are.
  package var subjectPublicKeyInfo: [UInt8] {
    switch self {
    case .ed25519(let key): key.subjectPublicKeyInfo
    case .ecdsa(let key): key.subjectPublicKeyInfo
    case .rsa(let key): key.subjectPublicKeyInfo
    }
  }

  /// Whether the owner of this key signed `message`; false for bytes that are no signature of its kind.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch self {
    case .ed25519(let key):
      Signature(bytes: signature).map { key.verifies($0, of: message) } ?? false
    case .ecdsa(let key): key.verifies(signature, of: message)
    case .rsa(let key): key.verifies(signature, of: message)
    }
  }
}

extension PublicKey {
  /// Takes 64 hexadecimal digits in either case.
  ///
  /// - Throws: ``KeyError``: `unrecognized` for another text, or why the bytes are no key.
  package init(hex: String) throws(KeyError) {
    guard let bytes = keyBytes(ofHex: Array(hex.utf8)[...]) else { throw .unrecognized }
    try self.init(bytes: bytes)
  }
}

/// Reads the bytes of the one block `PUBLIC KEY` of a PEM text.
func subjectPublicKeyInfo(pem text: String) throws(KeyError) -> [UInt8] {
  let text = Array(text.utf8)
  guard text.count <= KeyText.limit else { throw .tooLong(limit: KeyText.limit) }
  let lines = try KeyText(text.span).lines
  guard let block = try PEMBlock(in: text.span, lines: lines) else { throw .unrecognized }
  guard block.label.utf8.elementsEqual(PublicKey.label.utf8) else {
    throw .wrongKind(expected: PublicKey.label, found: block.label)
  }
  return try block.contents(of: text.span).withBytes { $0.array }
}
