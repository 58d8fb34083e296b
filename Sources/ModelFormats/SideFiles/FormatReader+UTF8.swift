extension FormatReader {
  /// Throws unless the bytes from here on are UTF-8 to their end.
  mutating func requireUTF8() throws(FormatStop) {
    var check = UTF8Check()
    while remaining > 0 {
      let start = offset
      let window = try takeWindow()
      for index in window.indices {
        guard check.take(window[index]) else {
          throw .structure(
            .badEncoding,
            at: start + index - window.startIndex,
            "the text",
            expected: "UTF-8",
            found: hexadecimal(window[index])
          )
        }
      }
    }
    guard check.isComplete else {
      throw .structure(
        .badEncoding,
        at: size,
        "the text",
        expected: "the rest of a character",
        found: "the end"
      )
    }
  }
}
