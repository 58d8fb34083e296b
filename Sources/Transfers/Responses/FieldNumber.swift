/// Reads a number as HTTP writes it: digits and nothing else (RFC 9110 §8.6).
///
/// Nil for no digits, a sign, a list, spaces, and what does not fit into an `Int`.
package func fieldNumber(_ bytes: some Collection<UInt8>) -> Int? {
  guard !bytes.isEmpty else { return nil }
  var value = 0
  for byte in bytes {
    guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
    let (product, isLost) = value.multipliedReportingOverflow(by: 10)
    let (sum, isOver) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
    guard !isLost, !isOver else { return nil }
    value = sum
  }
  return value
}

/// ASCII letters in lower case, all else as it is.
func lowered(_ bytes: some Collection<UInt8>) -> [UInt8] {
  bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
}

/// The bytes without spaces and tabs at both ends.
func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
  let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }),
    let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return [] }
  return Array(bytes[first...last])
}

/// At most `limit` foreign bytes as text for a message: printable ASCII, all else as `.`.
func printable(_ bytes: some Collection<UInt8>, limit: Int = 80) -> String {
  String(decoding: bytes.prefix(limit).map { 0x20..<0x7f ~= $0 ? $0 : 0x2e }, as: UTF8.self)
}
