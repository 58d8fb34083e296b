/// Returns the time span that `text` names, such as `30s`, `1h30m`, `1.5d`, `250ms`, or `30` for seconds.
package func parseDuration(_ text: String) throws(UsageError) -> Duration {
  let problem = UsageError(
    "\(quoted(text)) is not a time span",
    helps: ["write a number and a unit, such as 30s, 5m, 1h30m or 7d"]
  )
  var reader = AmountReader(text)
  var total = 0
  var largestAllowed = Int.max
  repeat {
    guard let amount = reader.decimal() else { throw problem }
    let word = reader.word()
    let isWhole = word.isEmpty && largestAllowed == .max && reader.isAtEnd
    guard let unit = isWhole ? 1000 : milliseconds[word], unit < largestAllowed else {
      throw problem
    }
    guard let part = amount.scaled(by: unit) else { throw UsageError("\(text) is too long") }
    let (sum, isOver) = total.addingReportingOverflow(part)
    guard !isOver else { throw UsageError("\(text) is too long") }
    (total, largestAllowed) = (sum, unit)
  } while !reader.isAtEnd
  return .milliseconds(total)
}

private let milliseconds = [
  "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
]
