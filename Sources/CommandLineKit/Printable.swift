/// Returns `text` with everything that a terminal would obey or hide spelled as `\u{…}`.
///
/// Control characters (line ends and tabs too), escape sequences, bidirectional marks, invisible format
/// characters, line separators and noncharacters are spelled out, so text from a mirror or a manifest can neither
/// move the cursor nor pretend to be another text. Costs one pass.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if isHidden(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Returns JSON text with invisible characters spelled as `\uXXXX`, which changes no value.
///
/// Canonical JSON escapes only what it must; a terminal that shows event lines needs the rest escaped as well.
/// Outside strings JSON is plain ASCII, so the text needs no parsing.
func printableJSON(_ json: String) -> String {
  guard json.unicodeScalars.contains(where: isHidden) else { return json }
  var result = ""
  for scalar in json.unicodeScalars {
    if isHidden(scalar) {
      for unit in String(scalar).utf16 { result += "\\u" + hexadecimal(unit) }
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func hexadecimal(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return String(repeating: "0", count: 4 - digits.utf8.count) + digits
}

private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
  let properties = scalar.properties
  if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return true }
  switch properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: return true
  default: return false
  }
}
