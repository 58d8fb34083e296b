extension JSONReader {
  /// Reads an integer with one spelling: no plus, no leading zero, no `-0`, no fraction, no exponent.
  mutating func integer() throws(JSONSyntaxError) -> Int64 {
    let start = offset
    let isNegative = bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let firstDigit = offset
    var value: Int64 = 0
    var isInRange = true
    while offset < bytes.count, let digit = Self.digit(bytes[offset]) {
      offset += 1
      // Counted downwards when negative, since the smallest integer has no positive counterpart.
      let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      value = sum
      isInRange = isInRange && !tensOverflow && !sumOverflow
    }
    let hasZero = firstDigit < offset && bytes[firstDigit] == UInt8(ascii: "0")
    let isPlain = hasZero ? !isNegative && offset - firstDigit == 1 : firstDigit < offset
    guard isPlain, !continuesNumber() else { throw problem(.notAnInteger, at: start) }
    guard isInRange else { throw problem(.integerOutOfRange, at: start) }
    return value
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  /// Says whether the next byte belongs to another spelling of a number: `1.0`, `1e3`, `0x1`, `1_0`.
  private func continuesNumber() -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return true
    default: return false
    }
  }
}
