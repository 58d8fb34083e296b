/// Returns how many terminal columns `text` takes, which must hold no control characters.
///
/// Marks that sit on the letter before take none; ideographs, full-width letters and emoji take two.
func displayWidth(_ text: String) -> Int {
  text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
}

/// Returns `text`, shortened to `width` columns with `...` at the cut.
func shortened(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  guard width > 3 else { return String(repeating: ".", count: max(0, width)) }
  var result = ""
  var used = 0
  for scalar in text.unicodeScalars {
    used += columns(of: scalar)
    if used > width - 3 { break }
    result.unicodeScalars.append(scalar)
  }
  return result + "..."
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return 0
  default: return isWide(scalar) ? 2 : 1
  }
}

private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
    true
  default: false
  }
}
