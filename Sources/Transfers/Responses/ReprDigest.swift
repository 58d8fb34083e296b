import Digests

/// The SHA-256 in a Repr-Digest field (RFC 9530), `sha-256=:…base64…:`; nil if there is none to read.
func announcedDigest(in value: [UInt8]) -> SHA256Digest? {
  for member in value.split(separator: UInt8(ascii: ",")) {
    let member = trimmed(member)
    let prefix = Array("sha-256=:".utf8)
    guard lowered(member.prefix(prefix.count)) == prefix else { continue }
    let text = member.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: ":") }
    return base64(text).flatMap { SHA256Digest(bytes: $0) }
  }
  return nil
}

/// Decodes padded base64 (RFC 4648 §4); nil for anything else.
private func base64(_ text: some Collection<UInt8>) -> [UInt8]? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let digits = text.prefix { $0 != UInt8(ascii: "=") }
  let padding = text.dropFirst(digits.count)
  guard text.count % 4 == 0, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") })
  else { return nil }
  var (bytes, bits, width): ([UInt8], UInt32, Int) = ([], 0, 0)
  for digit in digits {
    guard let value = alphabet.firstIndex(of: digit) else { return nil }
    bits = bits << 6 | UInt32(value)
    width += 6
    guard width >= 8 else { continue }
    width -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(width)))
    bits &= (1 << UInt32(width)) - 1
  }
  return bytes
}
