/// Reads numbers and units off the front of a text.
struct AmountReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes a decimal number, with digits on both sides of a point if there is one.
  ///
  /// At most 18 digits before the point and 9 after it, so that nothing overflows.
  mutating func decimal() -> Decimal? {
    guard let whole = digits(atMost: 18) else { return nil }
    guard rest.first == UInt8(ascii: ".") else {
      return Decimal(whole: whole.value, fraction: 0, scale: 1)
    }
    rest.removeFirst()
    guard let fraction = digits(atMost: 9) else { return nil }
    var scale = 1
    for _ in 0..<fraction.count { scale *= 10 }
    return Decimal(whole: whole.value, fraction: fraction.value, scale: scale)
  }

  /// Takes the ASCII letters that come next, which may be none.
  mutating func word() -> String {
    let letters = rest.prefix {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) && $0 < 0x80
    }
    rest.removeFirst(letters.count)
    return String(Substring(letters))
  }

  private mutating func digits(atMost limit: Int) -> (value: Int, count: Int)? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...limit).contains(digits.count), let value = Int(Substring(digits)) else {
      return nil
    }
    rest.removeFirst(digits.count)
    return (value, digits.count)
  }

  /// A number with a fraction, exactly.
  struct Decimal {
    let whole: Int
    let fraction: Int
    /// The power of ten that the fraction counts in.
    let scale: Int

    /// Returns the product with `unit`, rounded down, or nil when it does not fit.
    func scaled(by unit: Int) -> Int? {
      let (product, isOver) = whole.multipliedReportingOverflow(by: unit)
      guard !isOver else { return nil }
      let part = scale.dividingFullWidth(fraction.multipliedFullWidth(by: unit)).quotient
      let (sum, isSumOver) = product.addingReportingOverflow(part)
      return isSumOver ? nil : sum
    }
  }
}
