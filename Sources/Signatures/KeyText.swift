import SystemFiles

/// The lines of a text that holds a key: where they stand, without the space around them.
///
/// Lines that are empty or begin with `#` are comments, and are kept apart.
struct KeyText {
  /// The most bytes that a file with a key may have.
  static let limit = 64 * 1024

  private(set) var lines: [Range<Int>] = []
  private(set) var comments: [Range<Int>] = []

  /// Finds the lines of `text`; refuses a byte order mark.
  init(_ text: Span<UInt8>) throws(KeyError) {
    if text.startsWithByteOrderMark { throw .byteOrderMark }
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      add(trim(start..<end, in: text), of: text)
      start = end + 1
    }
  }

  private mutating func add(_ line: Range<Int>, of text: Span<UInt8>) {
    if line.isEmpty { return }
    if text[line.lowerBound] == UInt8(ascii: "#") {
      comments.append(line)
    } else {
      lines.append(line)
    }
  }
}

extension KeyText {
  /// Opens the file at `path`, which a person named.
  static func open(_ path: String) throws(KeyError) -> OpenFile {
    do { return try OpenFile(reading: path) } catch { throw .unreadable(error) }
  }

  /// Reads a file into guarded memory.
  static func read(_ file: borrowing OpenFile) throws(KeyError) -> SecretBytes {
    try SecretBytes(reading: file, limit: limit)
  }
}

private func trim(_ line: Range<Int>, in text: Span<UInt8>) -> Range<Int> {
  var (start, end) = (line.lowerBound, line.upperBound)
  while start < end, isSpace(text[start]) { start += 1 }
  while end > start, isSpace(text[end - 1]) { end -= 1 }
  return start..<end
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}
