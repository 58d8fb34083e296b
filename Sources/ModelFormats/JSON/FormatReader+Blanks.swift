extension FormatReader {
  /// Throws unless only white space follows up to the end of the file.
  mutating func requireBlanks(after subject: String) throws(FormatStop) {
    while remaining > 0 {
      let start = offset
      let window = try takeWindow()
      guard let index = window.firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
        continue
      }
      throw .structure(
        .trailingBytes,
        at: start + index - window.startIndex,
        subject,
        expected: "the end of the file",
        found: hexadecimal(window[index])
      )
    }
  }
}
