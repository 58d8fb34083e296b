import CSodium

extension Signature {
  /// Reads what a program printed, or a file holds: 64 bytes, or a text that stands for them.
  ///
  /// The texts: base64 with padding, or 128 hexadecimal digits, with white space anywhere; or a file of signify, or of
  /// minisign with `-l`, whose 64 bytes are a signature of the very bytes that were signed. Nobody has verified the result.
  /// - Throws: What was found instead.
  package init(printed bytes: [UInt8]) throws(SignatureFault) {
    if let signature = Signature(bytes: bytes) {
      self = signature
    } else if bytes.starts(with: "untrusted comment:".utf8) {
      try self.init(minisign: bytes)
    } else if bytes.starts(with: "-----BEGIN SSH SIGNATURE".utf8) {
      throw .openSSH
    } else {
      let text = bytes.filter { !isSpace($0) }
      guard !text.isEmpty else { throw .empty }
      // The digits of a signature would be base64, too, of 96 bytes.
      let found = decodedHex(text) ?? Base64.decode(text.span)
      guard let found, let signature = Signature(bytes: found) else {
        throw .unrecognized(count: bytes.count)
      }
      self = signature
    }
  }

  /// Reads the second line: base64 of two letters for the method, eight bytes that name the key, and the signature.
  private init(minisign text: [UInt8]) throws(SignatureFault) {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { throw .unrecognized(count: text.count) }
    let line = lines[1].filter { !isSpace($0) }
    let contents = Base64.decode(line.span) ?? []
    guard contents.count == 10 + Signature.byteCount else {
      throw .unrecognized(count: text.count)
    }
    if contents.starts(with: "ED".utf8) { throw .prehashed }
    guard contents.starts(with: "Ed".utf8), let signature = Signature(bytes: contents.dropFirst(10))
    else { throw .unrecognized(count: text.count) }
    self = signature
  }
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
}

/// The bytes of an even number of hexadecimal digits in either case; nil for anything else.
private func decodedHex(_ digits: [UInt8]) -> [UInt8]? {
  guard digits.count == 2 * Signature.byteCount else { return nil }
  let characters = digits.map { CChar(bitPattern: $0) }
  var bytes = [UInt8](repeating: 0, count: Signature.byteCount)
  var count = 0
  let status = unsafe sodium_hex2bin(
    &bytes,
    bytes.count,
    characters,
    characters.count,
    nil,
    &count,
    nil
  )
  return status == 0 && count == bytes.count ? bytes : nil
}
