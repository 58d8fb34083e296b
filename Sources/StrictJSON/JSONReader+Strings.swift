extension JSONReader {
  /// Reads a string from its opening quote to its closing one.
  ///
  /// What stands between escapes is checked and copied as a whole, so that long strings are cheap.
  mutating func string() throws(JSONSyntaxError) -> String {
    offset += 1
    var text = try plainText()
    while true {
      guard offset < bytes.count else { throw problem(.truncated) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        text.unicodeScalars.append(try escape())
        text += try plainText()
      case let control:
        throw problem(.controlCharacter(control))
      }
    }
  }

  /// Reads up to the next quote, backslash, control character or the end.
  private mutating func plainText() throws(JSONSyntaxError) -> String {
    let start = offset
    while offset < bytes.count, Self.isPlain(bytes[offset]) { offset += 1 }
    guard start < offset else { return "" }
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(start..<offset)))
    } catch {
      throw problem(.invalidUTF8, at: start + error.byteOffsets.lowerBound)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Reads an escape from its backslash on.
  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = offset
    guard start + 1 < bytes.count else { throw problem(.truncated, at: bytes.count) }
    let letter = bytes[start + 1]
    if letter == UInt8(ascii: "u") { return try escapedScalar() }
    offset += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    default: throw problem(.badEscape, at: start)
    }
  }

  /// Reads `\uXXXX`, or two of them that form a surrogate pair.
  private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = offset
    let unit = try escapedUnit()
    guard unit != 0 else { throw problem(.nullCharacter, at: start) }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), isEscapedUnitNext() else {
      throw problem(.unpairedSurrogate, at: start)
    }
    let trail = try escapedUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw problem(.unpairedSurrogate, at: start) }
    let pair = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
    guard let scalar = Unicode.Scalar(pair) else { throw problem(.unpairedSurrogate, at: start) }
    return scalar
  }

  /// Reads a backslash, `u` and four hexadecimal digits.
  private mutating func escapedUnit() throws(JSONSyntaxError) -> UInt16 {
    let start = offset
    offset += 2
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw problem(.truncated) }
      guard let digit = Self.hexadecimalDigit(bytes[offset]) else {
        throw problem(.badEscape, at: start)
      }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }

  private func isEscapedUnitNext() -> Bool {
    bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
