/// How far a piece of work has come.
package struct ProgressFacts: Equatable, Sendable {
  package var label: String
  /// Bytes that are done, verified where the work verifies.
  package var done: Int
  /// All bytes, or nil where nobody knows.
  package var total: Int?
  /// Nil until there is something to measure.
  package var bytesPerSecond: Int?

  package init(label: String, done: Int = 0, total: Int?, bytesPerSecond: Int? = nil) {
    self.label = label
    self.done = done
    self.total = total
    self.bytesPerSecond = bytesPerSecond
  }

  /// Whole percent, rounded down, so that 100 means done; nil without a total.
  package var percent: Int? {
    guard let total else { return nil }
    guard total > 0, done < total else { return 100 }
    return Int(Double(max(0, done)) / Double(total) * 100)
  }

  /// The time left at the present rate; nil when nobody knows.
  package var remaining: Duration? {
    guard let total, let bytesPerSecond, bytesPerSecond > 0, done < total else { return nil }
    // Rounded up: no time left means done.
    let (seconds, rest) = (total - done).quotientAndRemainder(dividingBy: bytesPerSecond)
    return .seconds(rest == 0 ? seconds : seconds + 1)
  }
}

/// Draws progress as text; where and when is decided elsewhere.
package enum ProgressLine {
  /// What takes a drawn line away.
  static let erased = "\r\u{1B}[K"

  /// The line of a terminal `width` columns wide: label, bar, percent, bytes, rate, time left.
  ///
  /// A narrow terminal gets fewer of them, the bar going first; the text is shorter than `width`, since a full line
  /// would wrap.
  package static func drawn(_ facts: ProgressFacts, width: Int) -> String {
    let label = printable(facts.label)
    // Chosen by the terminal alone, so that the bar keeps its length while other parts grow.
    let barWidth = width >= 110 ? 20 : 10
    let candidates: [[String?]] = [
      [bar(facts, barWidth), percent(facts), bytes(facts), rate(facts), left(facts)],
      [percent(facts), bytes(facts), rate(facts), left(facts)],
      [percent(facts), bytes(facts), left(facts)],
      [percent(facts), bytes(facts)],
    ]
    let labelRoom = min(displayWidth(label), 24)
    for parts in candidates.map({ $0.compactMap { $0 } }) {
      let facts = parts.joined(separator: "  ")
      let room = width - 1 - facts.utf8.count - 2
      guard room >= labelRoom else { continue }
      return "\(shortened(label, to: room))  \(facts)"
    }
    return shortened(percent(facts) ?? bytes(facts), to: max(0, width - 1))
  }

  /// The line of a log: `lfm2-2.6b: 30% of 1.5 GiB, 84.2 MiB/s, 13 s left`.
  package static func logged(_ facts: ProgressFacts) -> String {
    let amount: String
    if let percent = facts.percent, let total = facts.total {
      amount = "\(percent)% of \(roundedBytesText(total))"
    } else {
      amount = roundedBytesText(facts.done)
    }
    let parts = [amount, rate(facts), left(facts)].compactMap { $0 }
    return "\(facts.label): \(parts.joined(separator: ", "))"
  }

  private static func bar(_ facts: ProgressFacts, _ width: Int) -> String? {
    guard let percent = facts.percent else { return nil }
    let filled = percent * width / 100
    let head = filled > 0 && filled < width ? ">" : ""
    let body = String(repeating: "=", count: filled - head.utf8.count)
    return "[\(body)\(head)\(String(repeating: " ", count: width - filled))]"
  }

  private static func percent(_ facts: ProgressFacts) -> String? {
    facts.percent.map { percent in
      let digits = "\(percent)%"
      return String(repeating: " ", count: 4 - digits.utf8.count) + digits
    }
  }

  private static func bytes(_ facts: ProgressFacts) -> String {
    let done = roundedBytesText(facts.done)
    return facts.total.map { "\(done) of \(roundedBytesText($0))" } ?? done
  }

  private static func rate(_ facts: ProgressFacts) -> String? {
    facts.bytesPerSecond.map { rateText(bytesPerSecond: $0) }
  }

  private static func left(_ facts: ProgressFacts) -> String? {
    facts.remaining.map { "\(durationText($0)) left" }
  }
}
