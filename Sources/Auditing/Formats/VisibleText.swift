/// Returns `text` with everything that a reader would obey or not see spelled as `\u{…}`, however long it is.
///
/// Control characters, escape sequences, line ends, bidirectional marks, invisible, private and unassigned characters
/// are spelled out, and the backslash is doubled, so that the result says exactly one text. What is left are characters
/// that XML, HTML and spreadsheets take as they are.
func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isSpelledOut) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar == "\\" {
      result += "\\\\"
    } else if isSpelledOut(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isSpelledOut(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\\" }
  let properties = scalar.properties
  if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return true }
  switch properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
    return true
  // All spaces but the plain one look like it.
  case .spaceSeparator: return true
  default: return false
  }
}
