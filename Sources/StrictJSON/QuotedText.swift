/// Longer names are cut in messages: the document chose their length.
private let quotedScalars = 256

/// Writes text as a JSON string in printable ASCII, so that no document can send codes to a terminal
/// or turn the direction of a line; text beyond 256 scalars is cut and ends in `...`.
func quoted(_ text: String) -> String {
  var result = "\""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    guard count < quotedScalars else { return result + "...\"" }
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case " "..."~": result.unicodeScalars.append(scalar)
    default:
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
        result += "\\u" + hexadecimal(unit, digits: 4)
      }
    }
  }
  return result + "\""
}

/// Writes a number in lower-case hexadecimal with leading zeros.
func hexadecimal(_ value: UInt16, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
