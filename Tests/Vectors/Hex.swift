extension [UInt8] {
  /// Reads hexadecimal digits of either case; nil for anything else.
  package init?(hex: String) {
    let digits = Array<Character>(hex)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue
      else { return nil }
      append(UInt8(high << 4 | low))
    }
  }
}

/// The bytes of hexadecimal digits that stand in a test.
package func bytes(_ hex: String) -> [UInt8] {
  guard let bytes = [UInt8](hex: hex) else { preconditionFailure("hexadecimal digits: \(hex)") }
  return bytes
}
