/// Checks a chat template: its size, its encoding, and words that only an attack has a use for.
///
/// Runtimes fill templates in a sandbox, which has been escaped before. The words are a hint, no proof.
enum TemplateInspector: FormatInspector {
  private static let maximumSize = 1 << 20
  private static let words = ["__class__", "__globals__", "import", "os."]

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard reader.size <= maximumSize else {
      throw .structure(
        .tooLong,
        at: 0,
        "the template",
        expected: "at most \(maximumSize) bytes",
        found: "\(reader.size)"
      )
    }
    let text = try reader.take(reader.size)
    try reader.seek(to: 0)
    try reader.requireUTF8()
    for word in words {
      guard let place = place(of: Array(word.utf8), in: text) else { continue }
      report.warn(
        .unsafeCode,
        at: place,
        "the template",
        expected: "no word of Python's insides",
        found: word
      )
    }
  }

  /// Where a word first stands by itself; what ends with a dot goes on behind it.
  private static func place(of word: [UInt8], in text: [UInt8]) -> Int? {
    guard let first = word.first else { return nil }
    return text.indices.first { index in
      guard text[index] == first, text[index...].starts(with: word) else { return false }
      let end = index + word.count
      let isEnded = word.last == UInt8(ascii: ".") || end == text.count || !isPartOfName(text[end])
      return isEnded && (index == 0 || !isPartOfName(text[index - 1]))
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (0x61...0x7A).contains(letter) || (0x30...0x39).contains(byte)
  }
}
