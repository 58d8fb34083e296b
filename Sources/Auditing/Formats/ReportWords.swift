import Digests

/// Returns `count` with its digits in groups of three: `1,563,668,704`.
func grouped(_ count: Int) -> String {
  var result = ""
  let digits = Array(String(count).utf8)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
    result.unicodeScalars.append(Unicode.Scalar(digit))
  }
  return result
}

/// Returns `count` with its noun: `1 file`, `1,234 files`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns a count of bytes in a binary unit, with one decimal where that says more: `1.5 GiB`, `512 bytes`, `3 MiB`.
func rounded(bytes: Int) -> String {
  guard bytes >= 1024 else { return counted(bytes, "byte") }
  let units = ["KiB", "MiB", "GiB", "TiB", "PiB"]
  var value = Double(bytes) / 1024
  var unit = 0
  // A value that would be shown as 1024 belongs to the next unit.
  while value >= 1023.95, unit < units.count - 1 {
    value /= 1024
    unit += 1
  }
  let tenths = Int((value * 10).rounded())
  let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
  return "\(whole)\(rest == 0 ? "" : ".\(rest)") \(units[unit])"
}

/// Returns a text that begins in lower case and has no full stop as a sentence.
func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

/// Returns milliseconds as seconds with three decimals: `4.120`.
func seconds(ofMilliseconds milliseconds: Int) -> String {
  let (whole, rest) = max(0, milliseconds).quotientAndRemainder(dividingBy: 1000)
  return "\(whole).\(String(rest + 1000).dropFirst())"
}

extension Sequence<WrongChunk> {
  /// The bytes of the chunks, neighbours together.
  var byteRanges: [Range<Int>] {
    reduce(into: []) { ranges, chunk in
      if let last = ranges.last, last.upperBound == chunk.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<chunk.range.upperBound
      } else {
        ranges.append(chunk.range)
      }
    }
  }
}

extension AuditReport.Outcome {
  /// The exit code of an audit that ended so, as `explain` has it.
  var exitCode: Int {
    switch self {
    case .clean: 0
    case .findings: 10
    case .unfinished: 8
    }
  }

  /// The outcome in words, without a full stop.
  var text: String {
    switch self {
    case .clean: "nothing was found"
    case .findings: "something was found"
    case .unfinished: "the audit did not come to its end"
    }
  }
}

extension AuditReport.Unfinished {
  /// Why the audit did not come to its end, without a full stop.
  var text: String {
    switch reason {
    case .deadline: "the time that was given was over before the audit was"
    case .interrupted: "the audit was interrupted"
    case .failure: "something that is needed to judge could not be read"
    }
  }
}

extension AuditReport.Ignored {
  /// The rule in words, without a full stop.
  var text: String { pattern + tail }

  /// When the rule ends and what it left out, to be put behind the pattern.
  var tail: String {
    let end = until.map { hasEnded ? ", ended \($0)" : ", until \($0)" } ?? ", in this run alone"
    return "\(end): \(counted(count, "finding")) left out"
  }
}
