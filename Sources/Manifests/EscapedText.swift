/// Returns `text` fit for a terminal: at most 200 characters, nothing in it that could move the
/// cursor or turn the writing direction.
///
/// Control characters, line separators, format characters (bidirectional marks among them),
/// private-use and unassigned ones are written `\u{…}`; so is the backslash, as `\\`, so that the
/// result is unambiguous.
package func escaped(_ text: String) -> String {
  var result = ""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    if count == 200 { return result + "…" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      if scalar == "\\" { result += "\\\\" } else { result.unicodeScalars.append(scalar) }
    }
  }
  return result
}
