/// Returns the count of bytes that `text` names, such as `500k`, `10MB`, `1.5GiB` or `4096`.
///
/// `k`, `M`, `G`, `T` (with or without `B`) are powers of 1000; `Ki`, `Mi`, `Gi`, `Ti` are powers of 1024.
/// Case does not matter. A fraction is rounded down to a whole byte.
package func parseByteSize(_ text: String) throws(UsageError) -> Int {
  let problem = UsageError(
    "\(quoted(text)) is not a byte size",
    helps: ["write a number and a unit, such as 500k, 10MB or 1.5GiB"]
  )
  var reader = AmountReader(text)
  guard let amount = reader.decimal() else { throw problem }
  guard let unit = byteUnits[reader.word().lowercased()], reader.isAtEnd else { throw problem }
  guard let bytes = amount.scaled(by: unit) else { throw UsageError("\(text) is too large") }
  return bytes
}

private let byteUnits: [String: Int] = {
  var units = ["": 1, "b": 1]
  var (decimal, binary) = (1, 1)
  for letter in ["k", "m", "g", "t"] {
    decimal *= 1000
    binary *= 1024
    units[letter] = decimal
    units[letter + "b"] = decimal
    units[letter + "i"] = binary
    units[letter + "ib"] = binary
  }
  return units
}()
