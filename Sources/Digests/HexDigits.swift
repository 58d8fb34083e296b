/// The bytes as hexadecimal digits in lower case, two of each byte.
package func hexDigits(of bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
    as: UTF8.self
  )
}

/// The bytes of exactly `count` pairs of the digits `0-9a-f`; nil for anything else, upper case included.
func bytes(ofHex hex: String, count: Int) -> [UInt8]? {
  guard hex.utf8.count == 2 * count else { return nil }
  let values = hex.utf8.map(digitValue)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  for index in stride(from: 0, to: values.count, by: 2) {
    guard let high = values[index], let low = values[index + 1] else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}

private func digitValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  default: nil
  }
}
