/// Returns `count` with its digits in groups of three: `1,563,668,704`.
package func groupedText(_ count: Int) -> String {
  var result = ""
  let digits = String(count.magnitude).utf8
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
    result.unicodeScalars.append(Unicode.Scalar(digit))
  }
  return count < 0 ? "-" + result : result
}

/// Returns `count` with its noun: `1 file`, `1,234 files`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(groupedText(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns `bytes` exactly, and rounded when that is shorter: `1,563,668,704 bytes (1.5 GiB)`.
package func exactBytesText(_ bytes: Int) -> String {
  let exact = "\(groupedText(bytes)) \(bytes == 1 ? "byte" : "bytes")"
  return bytes.magnitude < 1024 ? exact : "\(exact) (\(roundedBytesText(bytes)))"
}

/// Returns `bytes` rounded to one decimal in a binary unit: `1.5 GiB`, `37.0 KiB`, `512 B`.
package func roundedBytesText(_ bytes: Int) -> String {
  guard bytes.magnitude >= 1024 else { return "\(bytes) B" }
  var unit = 0
  var value = Double(bytes)
  // A value that would be shown as 1024.0 belongs to the next unit.
  while value.magnitude >= 1023.95, unit < binaryUnits.count - 1 {
    value /= 1024
    unit += 1
  }
  return "\(oneDecimalText(value)) \(binaryUnits[unit])"
}

/// Returns a transfer rate: `84.2 MiB/s`.
package func rateText(bytesPerSecond: Int) -> String {
  "\(roundedBytesText(bytesPerSecond))/s"
}

/// Returns a time span in its two largest units: `4 s`, `1 min 05 s`, `2 h 03 min`, `3 d 04 h`.
package func durationText(_ duration: Duration) -> String {
  let seconds = max(0, Int(clamping: duration.components.seconds))
  func pair(_ large: Int, _ largeUnit: String, _ small: Int, _ smallUnit: String) -> String {
    "\(large) \(largeUnit) \(small < 10 ? "0" : "")\(small) \(smallUnit)"
  }
  return switch seconds {
  case ..<60: "\(seconds) s"
  case ..<3600: pair(seconds / 60, "min", seconds % 60, "s")
  case ..<86_400: pair(seconds / 3600, "h", seconds % 3600 / 60, "min")
  default: pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
  }
}

/// Returns `value` with one digit after the point.
func oneDecimalText(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  let sign = tenths < 0 ? "-" : ""
  return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
}

private let binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
