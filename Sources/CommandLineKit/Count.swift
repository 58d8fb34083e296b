/// Returns the whole number that `text` spells in decimal digits, within `range`.
///
/// There is one spelling: no sign, no leading zero, no separator.
package func parseCount(
  _ text: String,
  in range: ClosedRange<Int> = 0...Int.max
) throws(UsageError) -> Int {
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  guard !text.isEmpty, text.utf8.allSatisfy(digits.contains),
    text.utf8.first != UInt8(ascii: "0") || text.utf8.count == 1
  else { throw UsageError("\(quoted(text)) is not a whole number") }
  guard let value = Int(text), range.contains(value) else {
    let limits =
      range.upperBound == .max
      ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError("\(text) is out of range", helps: ["give a number \(limits)"])
  }
  return value
}

/// Returns the answer that `text` gives: `1`, `true`, `yes`, `on`, or `0`, `false`, `no`, `off`.
package func parseSwitch(_ text: String) throws(UsageError) -> Bool {
  switch text.lowercased() {
  case "1", "true", "yes", "on": true
  case "0", "false", "no", "off": false
  default: throw UsageError("\(quoted(text)) is neither yes nor no")
  }
}

/// Reads an amount with which something can begin, such as a rate or a time.
package func parsePositive<Amount: Comparable & AdditiveArithmetic>(
  _ text: String,
  _ parse: (String) throws(UsageError) -> Amount
) throws(UsageError) -> Amount {
  let amount = try parse(text)
  guard amount > .zero else {
    throw UsageError("\(quoted(text)) is out of range", helps: ["give more than nothing"])
  }
  return amount
}
