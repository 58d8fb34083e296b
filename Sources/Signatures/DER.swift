/// Whether the bytes are one DER sequence from the first to the last, which no text is.
func isDER(_ bytes: Span<UInt8>) -> Bool {
  guard let start = contentsStart(of: bytes, tag: 0x30) else { return false }
  return start < bytes.count
}

/// Whether a DER sequence begins as a private key does: with a number, or with an algorithm and an octet string.
func isPrivateKey(_ bytes: Span<UInt8>) -> Bool {
  guard let start = contentsStart(of: bytes, tag: 0x30), start < bytes.count else { return false }
  return bytes[start] == 0x02 || PKCS8.encryption(of: bytes).isEncrypted
}

/// Where the contents of a value begin that fills the bytes to their end; nil for anything else.
private func contentsStart(of bytes: Span<UInt8>, tag: UInt8) -> Int? {
  guard bytes.count >= 2, bytes[0] == tag else { return nil }
  let first = bytes[1]
  guard first >= 0x80 else { return Int(first) == bytes.count - 2 ? 2 : nil }
  let count = Int(first & 0x7f)
  guard 1...3 ~= count, bytes.count >= 2 + count else { return nil }
  var length = 0
  for index in 2..<2 + count { length = length << 8 | Int(bytes[index]) }
  return length == bytes.count - 2 - count ? 2 + count : nil
}
