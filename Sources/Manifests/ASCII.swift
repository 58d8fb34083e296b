extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }
  var isLowercase: Bool { UInt8(ascii: "a") <= self && self <= UInt8(ascii: "z") }
  var isUppercase: Bool { UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") }
  var isLetter: Bool { isLowercase || isUppercase }
  var isHexDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
  /// The lower-case letter for an upper-case one, and every other byte as it is.
  var lowercase: UInt8 { isUppercase ? self | 0x20 : self }
}

/// Reads decimal digits and nothing else; nil when there are none or the value is above `Int.max`.
func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard !digits.isEmpty else { return nil }
  var value = 0
  for digit in digits {
    guard digit.isDigit else { return nil }
    let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
    let (sum, overflowedToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
    guard !overflowed, !overflowedToo else { return nil }
    value = sum
  }
  return value
}

/// Compares byte by byte; a prefix comes first.
func precedes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
  left.lexicographicallyPrecedes(right)
}

func string(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: Array(bytes), as: UTF8.self)
}
