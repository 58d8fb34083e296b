import CSodium

extension PublicKey {
  /// Reads a key from the contents of a file, or from what a person typed.
  ///
  /// The forms: SPKI PEM (RFC 8410), `ed25519:` and base64, an OpenSSH line `ssh-ed25519 AAAA… [comment]`, or
  /// 64 hexadecimal digits. Empty lines and lines that begin with `#` may stand around each. The DER form of SPKI is read
  /// too.
  /// - Throws: ``KeyError`` with what was found instead of one key.
  package init(text: String) throws(KeyError) { try self.init(text: Array(text.utf8)) }

  /// Reads a key as ``init(text:)-(String)`` does, from bytes that need not be UTF-8.
  package init(text: [UInt8]) throws(KeyError) { try self.init(text: text.span) }

  /// Reads the key file at `path`, as ``init(text:)-([UInt8])`` does.
  package init(file path: String) throws(KeyError) {
    // In guarded memory, since a private key may be named by mistake.
    let contents = try KeyText.read(try KeyText.open(path))
    self = try contents.withBytes { text throws(KeyError) in try PublicKey(text: text) }
  }

  /// Reads the key file at `path`, as ``init(file:)`` does, unless it may be a private seed as well.
  ///
  /// - Throws: ``KeyError``; ``KeyError/unrecognized`` for the file of ``isBareDigits(_:)``.
  package init(statedFile path: String) throws(KeyError) {
    let contents = try KeyText.read(try KeyText.open(path))
    self = try contents.withBytes { text throws(KeyError) in
      guard try !areBareDigits(text) else { throw KeyError.unrecognized }
      return try PublicKey(text: text)
    }
  }

  /// Whether the file at `path` is one line of 64 hexadecimal digits, which say nothing of which half of a key they are.
  ///
  /// - Throws: ``KeyError`` if it cannot be read.
  package static func isBareDigits(_ path: String) throws(KeyError) -> Bool {
    let contents = try KeyText.read(try KeyText.open(path))
    return try contents.withBytes { text throws(KeyError) in try areBareDigits(text) }
  }

  private init(text: Span<UInt8>) throws(KeyError) {
    if isDER(text) {
      // A private key that was named by mistake has no public key's length, and is not copied.
      guard !isPrivateKey(text) else {
        throw .wrongKind(expected: Self.label, found: PKCS8.label)
      }
      guard text.count < 4096 else { throw .unrecognized }
      try self.init(subjectPublicKeyInfo: text.array)
      return
    }
    let lines = try KeyText(text).lines
    if let block = try PEMBlock(in: text, lines: lines) {
      guard block.label.utf8.elementsEqual(Self.label.utf8) else {
        throw .wrongKind(expected: Self.label, found: block.label)
      }
      try self.init(subjectPublicKeyInfo: try block.contents(of: text).withBytes { $0.array })
    } else {
      guard let line = lines.first else { throw .unrecognized }
      try self.init(line: text.extracting(line).array[...])
      guard lines.count == 1 else { throw .severalKeys }
    }
  }

  /// Reads the DER form of RFC 8410, byte by byte.
  ///
  /// Libcrypto would also take keys whose bit string claims unused bits.
  package init(subjectPublicKeyInfo contents: [UInt8]) throws(KeyError) {
    if contents.starts(with: Self.infoPrefix) {
      try self.init(bytes: contents.dropFirst(Self.infoPrefix.count))
      return
    }
    guard let name = algorithmName(ofSubjectPublicKeyInfo: contents.span),
      name != ed25519AlgorithmName
    else { throw .damaged(.asn1) }
    throw .notEd25519(found: name)
  }

  private init(line: ArraySlice<UInt8>) throws(KeyError) {
    let prefix = "ed25519:".utf8
    if line.starts(with: prefix) {
      guard let bytes = Base64.decode(Array(line.dropFirst(prefix.count)).span) else {
        throw .damaged(.base64)
      }
      try self.init(bytes: bytes)
    } else if let bytes = keyBytes(ofHex: line) {
      try self.init(bytes: bytes)
    } else {
      try self.init(openSSHLine: line)
    }
  }

  private init(openSSHLine line: ArraySlice<UInt8>) throws(KeyError) {
    let words = line.split(maxSplits: 2) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard words.count >= 2, let kind = openSSHKeyKind(words[0]) else { throw .unrecognized }
    guard kind.utf8.elementsEqual(Self.openSSHKind.utf8) else { throw .notEd25519(found: kind) }
    guard let blob = Base64.decode(Array(words[1]).span) else { throw .damaged(.base64) }
    try self.init(openSSHBlob: blob.span)
  }
}

/// Whether a text is nothing but 64 hexadecimal digits; nothing of it is copied.
private func areBareDigits(_ text: Span<UInt8>) throws(KeyError) -> Bool {
  guard !isDER(text) else { return false }
  let lines = try KeyText(text).lines
  guard lines.count == 1, let line = lines.first, line.count == 2 * PublicKey.byteCount else {
    return false
  }
  for index in line where !isHexDigit(text[index]) { return false }
  return true
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}

/// The bytes of 64 hexadecimal digits in either case; nil for anything else.
func keyBytes(ofHex digits: ArraySlice<UInt8>) -> [UInt8]? {
  guard digits.count == 2 * PublicKey.byteCount else { return nil }
  let characters = digits.map { CChar(bitPattern: $0) }
  var bytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
  let status = unsafe sodium_hex2bin(
    &bytes,
    bytes.count,
    characters,
    characters.count,
    nil,
    nil,
    nil
  )
  return status == 0 ? bytes : nil
}
