/// Reads JSON of any size as a stream of tokens, in constant memory.
///
/// The grammar is RFC 8259 in UTF-8; unlike `StrictJSON` it takes fractions, and leaves names that
/// occur twice to its caller. A violation stops with its place in the file.
struct JSONScanner {
  /// A text without its escapes.
  struct Text: Equatable {
    /// The bytes; nil if there are more than the limit of the scanner.
    let bytes: [UInt8]?
    /// The place of the opening quotation mark.
    let offset: Int

    func equals(_ text: StaticString) -> Bool {
      bytes?.elementsEqual(text.description.utf8) == true
    }
  }

  enum Token: Equatable {
    case beginObject, endObject, beginArray, endArray
    case name(Text)
    case string(Text)
    /// A number as it is written.
    case number([UInt8], offset: Int)
    case boolean(Bool)
    case null
    /// The value is over; what follows it has not been read.
    case end
  }

  private enum State { case value, firstElement, firstName, name, afterValue, done }

  private static let maximumNumberLength = 256

  private let greatestDepth: Int
  private let textLimit: Int
  private var state = State.value
  /// Whether each open container is an object.
  private var containers: [Bool] = []
  private var window: ArraySlice<UInt8> = []
  private var isExhausted = false

  /// - Parameters:
  ///   - greatestDepth: The most arrays and objects inside each other.
  ///   - textLimit: The most bytes of a text that are kept; longer ones are checked all the same.
  init(greatestDepth: Int, textLimit: Int = 1 << 16) {
    self.greatestDepth = greatestDepth
    self.textLimit = textLimit
  }

  /// How many containers are open.
  var depth: Int { containers.count }

  /// Returns the next token.
  mutating func next(_ reader: inout FormatReader) throws(FormatStop) -> Token {
    while true {
      guard state != .done else { return .end }
      let byte = try peekBehindBlanks(&reader)
      switch state {
      case .afterValue:
        if let token = try separator(byte, &reader) { return token }
      case .firstName where byte == UInt8(ascii: "}"): return close(isObject: true)
      case .firstElement where byte == UInt8(ascii: "]"): return close(isObject: false)
      case .firstName, .name: return .name(try name(byte, &reader))
      default: return try value(byte, &reader)
      }
    }
  }

  /// Gives back what was loaded and not used, so that `reader` stands behind the last token.
  mutating func finish(_ reader: inout FormatReader) {
    reader.putBack(window.count)
    window = []
  }

  /// Skips a value whose first token is `token`.
  mutating func skipValue(
    after token: Token,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    guard token == .beginObject || token == .beginArray else { return }
    let outer = depth - 1
    while depth > outer { _ = try next(&reader) }
  }
}

// MARK: - Structure

extension JSONScanner {
  /// Takes a comma, or the closing bracket as a token.
  private mutating func separator(
    _ byte: UInt8,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Token? {
    let isObject = containers.last == true
    if byte == UInt8(ascii: ",") {
      window.removeFirst()
      state = isObject ? .name : .value
      return nil
    }
    guard byte == UInt8(ascii: isObject ? "}" : "]") else {
      throw unexpected(byte, "a comma or a closing bracket", reader)
    }
    return close(isObject: isObject)
  }

  private mutating func close(isObject: Bool) -> Token {
    window.removeFirst()
    containers.removeLast()
    state = containers.isEmpty ? .done : .afterValue
    return isObject ? .endObject : .endArray
  }

  private mutating func open(
    isObject: Bool,
    at offset: Int
  ) throws(FormatStop) -> Token {
    guard containers.count < greatestDepth else {
      throw .structure(
        .badEncoding,
        at: offset,
        "the JSON text",
        expected: "at most \(greatestDepth) levels",
        found: "more"
      )
    }
    window.removeFirst()
    containers.append(isObject)
    state = isObject ? .firstName : .firstElement
    return isObject ? .beginObject : .beginArray
  }

  private mutating func name(
    _ byte: UInt8,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Text {
    guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, "a name in quotes", reader) }
    let name = try text(&reader)
    let next = try peekBehindBlanks(&reader)
    guard next == UInt8(ascii: ":") else { throw unexpected(next, "a colon", reader) }
    window.removeFirst()
    state = .value
    return name
  }

  private mutating func value(
    _ byte: UInt8,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Token {
    switch byte {
    case UInt8(ascii: "{"): return try open(isObject: true, at: offset(in: reader))
    case UInt8(ascii: "["): return try open(isObject: false, at: offset(in: reader))
    default: break
    }
    let token: Token
    switch byte {
    case UInt8(ascii: "\""): token = .string(try text(&reader))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number(&reader)
    case UInt8(ascii: "t"):
      try word("true", &reader)
      token = .boolean(true)
    case UInt8(ascii: "f"):
      try word("false", &reader)
      token = .boolean(false)
    case UInt8(ascii: "n"):
      try word("null", &reader)
      token = .null
    default: throw unexpected(byte, "a value", reader)
    }
    state = containers.isEmpty ? .done : .afterValue
    return token
  }
}

// MARK: - Values

extension JSONScanner {
  private mutating func word(
    _ word: StaticString,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    for expected in word.description.utf8 {
      let byte = try peek(&reader)
      guard byte == expected else { throw unexpected(byte, word.description, reader) }
      window.removeFirst()
    }
  }

  private mutating func number(_ reader: inout FormatReader) throws(FormatStop) -> Token {
    let offset = offset(in: reader)
    var bytes: [UInt8] = []
    while let byte = try peekUnlessOver(&reader), Self.isPartOfNumber(byte) {
      guard bytes.count < Self.maximumNumberLength else {
        throw .structure(
          .tooLong,
          at: offset,
          "a number of the JSON text",
          expected: "at most \(Self.maximumNumberLength) bytes",
          found: "more"
        )
      }
      bytes.append(byte)
      window.removeFirst()
    }
    guard Self.isNumber(bytes) else {
      throw .structure(
        .badEncoding,
        at: offset,
        "the JSON text",
        expected: "a number",
        found: String(decoding: bytes, as: UTF8.self)
      )
    }
    return .number(bytes, offset: offset)
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Whether the bytes are `-`, digits, a fraction and an exponent, of which only the digits must be.
  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    func takeDigits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest.removeFirst(count)
      return count
    }
    let first = rest.first
    let digits = takeDigits()
    guard digits == 1 || (digits > 1 && first != UInt8(ascii: "0")) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takeDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// Reads a text whose opening quotation mark comes next.
  private mutating func text(_ reader: inout FormatReader) throws(FormatStop) -> Text {
    let offset = offset(in: reader)
    window.removeFirst()
    var bytes: [UInt8] = []
    var isTooLong = false
    var check = UTF8Check()
    while true {
      let byte = try peek(&reader)
      if byte == UInt8(ascii: "\""), check.isComplete {
        window.removeFirst()
        return Text(bytes: isTooLong ? nil : bytes, offset: offset)
      }
      guard byte >= 0x20, check.take(byte) else { throw badText(byte, reader) }
      var decoded: [UInt8] = []
      if byte == UInt8(ascii: "\\") {
        decoded = try escape(&reader)
      } else {
        window.removeFirst()
      }
      if bytes.count >= textLimit { isTooLong = true }
      guard !isTooLong else { continue }
      if decoded.isEmpty { bytes.append(byte) } else { bytes += decoded }
    }
  }

  /// Reads a backslash and what it stands for.
  private mutating func escape(_ reader: inout FormatReader) throws(FormatStop) -> [UInt8] {
    window.removeFirst()
    let byte = try peek(&reader)
    window.removeFirst()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw badText(byte, reader)
    }
    let first = try fourDigits(&reader)
    guard (0xD800...0xDFFF).contains(first) else { return Self.utf8(first) }
    guard first < 0xDC00, try peek(&reader) == UInt8(ascii: "\\") else {
      throw badText(byte, reader)
    }
    window.removeFirst()
    guard try peek(&reader) == UInt8(ascii: "u") else { throw badText(byte, reader) }
    window.removeFirst()
    let second = try fourDigits(&reader)
    guard (0xDC00...0xDFFF).contains(second) else { throw badText(byte, reader) }
    return Self.utf8(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func fourDigits(_ reader: inout FormatReader) throws(FormatStop) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try peek(&reader)
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: throw badText(byte, reader)
      }
      value = value << 4 | UInt32(digit)
      window.removeFirst()
    }
    return value
  }

  private static func utf8(_ value: UInt32) -> [UInt8] {
    Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
  }
}

// MARK: - Bytes

extension JSONScanner {
  /// The next byte, which stays.
  private mutating func peek(_ reader: inout FormatReader) throws(FormatStop) -> UInt8 {
    if let byte = window.first { return byte }
    window = try reader.takeWindow()
    // A window is never empty.
    return window.first ?? 0
  }

  private mutating func peekUnlessOver(
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt8? {
    window.isEmpty && reader.remaining == 0 ? nil : try peek(&reader)
  }

  private mutating func peekBehindBlanks(
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt8 {
    while true {
      let byte = try peek(&reader)
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      window.removeFirst()
    }
  }

  /// Where the next byte stands in the file.
  func offset(in reader: borrowing FormatReader) -> Int { reader.offset - window.count }

  private func unexpected(
    _ byte: UInt8,
    _ expected: String,
    _ reader: borrowing FormatReader
  ) -> FormatStop {
    .structure(
      .badEncoding,
      at: offset(in: reader),
      "the JSON text",
      expected: expected,
      found: hexadecimal(byte)
    )
  }

  private func badText(_ byte: UInt8, _ reader: borrowing FormatReader) -> FormatStop {
    .structure(
      .badEncoding,
      at: offset(in: reader),
      "a text of the JSON text",
      expected: "UTF-8 with escapes as JSON has them",
      found: hexadecimal(byte)
    )
  }
}

/// A byte as `0x1f`.
func hexadecimal(_ byte: UInt8) -> String {
  "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
