/// Reads XML of any size as a stream of tags, in constant memory.
///
/// Takes what a model description needs: elements, attributes, comments, instructions, character data. A document type, and
/// with it any entity of its own, is refused: expanding one can take endless memory, or read other files.
struct XMLScanner {
  struct Tag: Equatable {
    let name: String
    let attributes: [String: String]
    let offset: Int
  }

  enum Event: Equatable {
    case begin(Tag)
    case end(name: String)
    /// The document is over.
    case finish
  }

  private static let maximumDepth = 256
  private static let maximumAttributes = 256
  private static let maximumLength = 65_536

  private var window: ArraySlice<UInt8> = []
  private var open: [String] = []
  private var pendingEnd: String?
  private var hasRoot = false

  /// How many elements are open.
  var depth: Int { open.count }

  /// Returns the next tag.
  mutating func next(_ reader: inout FormatReader) throws(FormatStop) -> Event {
    if let name = pendingEnd {
      pendingEnd = nil
      return close(name)
    }
    while let byte = try peekUnlessOver(&reader) {
      guard byte == UInt8(ascii: "<") else {
        try skipText(byte, &reader)
        continue
      }
      let place = reader.offset - window.count
      window.removeFirst()
      switch try peek(&reader) {
      case UInt8(ascii: "?"): try skip(past: "?>", &reader)
      case UInt8(ascii: "!"): try skipMarked(at: place, &reader)
      case UInt8(ascii: "/"): return try endTag(at: place, &reader)
      default: return try beginTag(at: place, &reader)
      }
    }
    guard open.isEmpty, hasRoot else { throw reader.truncated(needed: UInt64(reader.limit) + 1) }
    return .finish
  }

  private mutating func close(_ name: String) -> Event {
    open.removeLast()
    return .end(name: name)
  }

  private mutating func endTag(at place: Int, _ reader: inout FormatReader) throws(FormatStop)
    -> Event
  {
    window.removeFirst()
    let name = try name(&reader)
    try skipBlanks(&reader)
    guard try take(&reader) == UInt8(ascii: ">"), name == open.last else {
      throw bad(at: place, "the end of \(open.last ?? "nothing")", "the end of \(name)")
    }
    return close(name)
  }

  private mutating func beginTag(at place: Int, _ reader: inout FormatReader) throws(FormatStop)
    -> Event
  {
    let name = try name(&reader)
    guard !name.isEmpty, !(open.isEmpty && hasRoot) else {
      throw bad(at: place, "one root element", "another")
    }
    guard open.count < Self.maximumDepth else {
      throw bad(at: place, "at most \(Self.maximumDepth) elements inside each other", "more")
    }
    var attributes: [String: String] = [:]
    while true {
      try skipBlanks(&reader)
      let byte = try peek(&reader)
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      let key = try self.name(&reader)
      let value = try value(at: place, &reader)
      guard !key.isEmpty, attributes.updateValue(value, forKey: key) == nil else {
        throw bad(at: place, "each attribute once", "\(key) again")
      }
      guard attributes.count <= Self.maximumAttributes else {
        throw bad(at: place, "at most \(Self.maximumAttributes) attributes", "more")
      }
    }
    if try take(&reader) == UInt8(ascii: "/") {
      guard try take(&reader) == UInt8(ascii: ">") else {
        throw bad(at: place, "the end of the tag", "more")
      }
      pendingEnd = name
    }
    open.append(name)
    hasRoot = true
    return .begin(Tag(name: name, attributes: attributes, offset: place))
  }
}

// MARK: - Parts

extension XMLScanner {
  /// Skips a comment or marked characters; a document type is a fault.
  private mutating func skipMarked(at place: Int, _ reader: inout FormatReader) throws(FormatStop) {
    window.removeFirst()
    let byte = try take(&reader)
    if byte == UInt8(ascii: "-"), try take(&reader) == UInt8(ascii: "-") {
      return try skip(past: "-->", &reader)
    }
    if byte == UInt8(ascii: "["), !open.isEmpty { return try skip(past: "]]>", &reader) }
    throw bad(at: place, "no document type", "one")
  }

  private mutating func skipText(_ byte: UInt8, _ reader: inout FormatReader) throws(FormatStop) {
    let isMark = byte == 0xEF || byte == 0xBB || byte == 0xBF
    guard !open.isEmpty || Self.isBlank(byte) || isMark && !hasRoot else {
      throw bad(at: reader.offset - window.count, "a tag", hexadecimal(byte))
    }
    if byte == UInt8(ascii: "&") { return try entity(&reader) }
    window.removeFirst()
  }

  private mutating func entity(_ reader: inout FormatReader) throws(FormatStop) {
    let place = reader.offset - window.count
    window.removeFirst()
    var name: [UInt8] = []
    while name.count < 12 {
      let byte = try take(&reader)
      if byte == UInt8(ascii: ";") { break }
      name.append(byte)
    }
    let isNumber = name.first == UInt8(ascii: "#")
    guard
      isNumber
        || ["lt", "gt", "amp", "quot", "apos"].contains(String(decoding: name, as: UTF8.self))
    else { throw bad(at: place, "a character that XML names", "an entity") }
  }

  private mutating func name(_ reader: inout FormatReader) throws(FormatStop) -> String {
    var bytes: [UInt8] = []
    while bytes.count < 256 {
      let byte = try peek(&reader)
      guard byte >= 0x80 || byte > 0x20 && !"<>/='\"&?!".utf8.contains(byte) else { break }
      bytes.append(byte)
      window.removeFirst()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func value(at place: Int, _ reader: inout FormatReader) throws(FormatStop)
    -> String
  {
    try skipBlanks(&reader)
    guard try take(&reader) == UInt8(ascii: "=") else {
      throw bad(at: place, "an equals sign", "none")
    }
    try skipBlanks(&reader)
    let quote = try take(&reader)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw bad(at: place, "a value in quotes", "none")
    }
    var bytes: [UInt8] = []
    while true {
      let byte = try peek(&reader)
      if byte == quote { break }
      guard byte != UInt8(ascii: "<") else { throw bad(at: place, "the end of a value", "a tag") }
      if byte == UInt8(ascii: "&") {
        // What stands for another character is checked, and left as a question mark.
        try entity(&reader)
        bytes.append(UInt8(ascii: "?"))
        continue
      }
      window.removeFirst()
      if bytes.count < Self.maximumLength { bytes.append(byte) }
    }
    window.removeFirst()
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func skip(past mark: String, _ reader: inout FormatReader) throws(FormatStop) {
    let mark = Array(mark.utf8)
    var tail: [UInt8] = []
    while tail != mark {
      tail.append(try take(&reader))
      if tail.count > mark.count { tail.removeFirst() }
    }
  }

  private mutating func skipBlanks(_ reader: inout FormatReader) throws(FormatStop) {
    while Self.isBlank(try peek(&reader)) { window.removeFirst() }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func take(_ reader: inout FormatReader) throws(FormatStop) -> UInt8 {
    let byte = try peek(&reader)
    window.removeFirst()
    return byte
  }

  private mutating func peek(_ reader: inout FormatReader) throws(FormatStop) -> UInt8 {
    if let byte = window.first { return byte }
    window = try reader.takeWindow()
    return window.first ?? 0
  }

  private mutating func peekUnlessOver(_ reader: inout FormatReader) throws(FormatStop) -> UInt8? {
    window.isEmpty && reader.remaining == 0 ? nil : try peek(&reader)
  }

  private func bad(at place: Int, _ expected: String, _ found: String) -> FormatStop {
    .structure(.badEncoding, at: place, "the XML text", expected: expected, found: found)
  }
}
