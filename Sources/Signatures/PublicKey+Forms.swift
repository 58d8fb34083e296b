extension PublicKey {
  package static let label = "PUBLIC KEY"
  static let openSSHKind = "ssh-ed25519"
  /// What stands before the 32 bytes of a key in SubjectPublicKeyInfo (RFC 8410 section 4).
  static let infoPrefix: [UInt8] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// The DER form of RFC 8410, 44 bytes.
  package var subjectPublicKeyInfo: [UInt8] { Self.infoPrefix + bytes }

  /// The contents of a public key file: comment lines with name and fingerprint, then SPKI PEM.
  ///
  /// OpenSSL reads it as it is. Control characters in `name` become spaces.
  package func pem(name: String) -> String {
    let comments = [onOneLine(name), fingerprint.description]
    let text = PEMBlock.text(label: Self.label, comments: comments, subjectPublicKeyInfo.span)
    return String(decoding: text, as: UTF8.self)
  }

  /// The form `ed25519:` and base64, in one word.
  package var shortForm: String { "ed25519:" + Base64.encode(bytes) }

  /// The line of OpenSSH, without a comment: `ssh-ed25519 AAAA…`.
  package var openSSHLine: String { "\(Self.openSSHKind) \(Base64.encode(openSSHBlob))" }

  /// The form of RFC 8709 section 4, which the fingerprint hashes.
  package var openSSHBlob: [UInt8] { wireString(Self.openSSHKind.utf8) + wireString(bytes) }

  /// Reads the form of RFC 8709.
  init(openSSHBlob blob: Span<UInt8>) throws(KeyError) {
    var reader = WireReader()
    guard let kindPlace = reader.string(in: blob),
      let kind = openSSHKeyKind(blob.extracting(kindPlace).array[...])
    else { throw .damaged(.openSSH) }
    guard kind.utf8.elementsEqual(Self.openSSHKind.utf8) else { throw .notEd25519(found: kind) }
    guard let place = reader.string(in: blob), reader.offset == blob.count else {
      throw .damaged(.openSSH)
    }
    try self.init(bytes: blob.extracting(place).array)
  }
}

/// The kind of an OpenSSH key as text; nil for what does not look like one.
func openSSHKeyKind(_ bytes: ArraySlice<UInt8>) -> String? {
  let prefixes = ["ssh-", "ecdsa-", "sk-"]
  guard bytes.count <= 64, prefixes.contains(where: { bytes.starts(with: $0.utf8) }),
    bytes.allSatisfy({ UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 })
  else { return nil }
  return String(decoding: bytes, as: UTF8.self)
}

/// The text with spaces in place of control characters, line ends and invisible marks.
func onOneLine(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : " " }))
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: false
  default: true
  }
}
