/// A value as Python writes it: what the header of an array file is made of.
indirect enum PythonLiteral: Equatable {
  case text(String)
  case integer(UInt64)
  case boolean(Bool)
  case none
  /// A tuple or a list.
  case sequence([PythonLiteral])
  case dictionary([(key: String, value: PythonLiteral)])

  static func == (left: PythonLiteral, right: PythonLiteral) -> Bool {
    switch (left, right) {
    case (.text(let a), .text(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.none, .none): true
    case (.sequence(let a), .sequence(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)):
      a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }

  /// Reads one literal that fills `bytes`, blanks aside; nil if it is none, or nested deeper than eight levels.
  init?(_ bytes: [UInt8]) {
    var reader = PythonLiteralReader(bytes)
    guard let value = reader.value(depth: 0), reader.isAtEnd() else { return nil }
    self = value
  }
}

private struct PythonLiteralReader {
  private static let maximumDepth = 8

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return rest.isEmpty
  }

  mutating func value(depth: Int) -> PythonLiteral? {
    guard depth <= Self.maximumDepth else { return nil }
    skipBlanks()
    guard let byte = rest.first else { return nil }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return text().map { .text($0) }
    case 0x30...0x39: return integer()
    case UInt8(ascii: "("): return sequence(closing: UInt8(ascii: ")"), depth: depth)
    case UInt8(ascii: "["): return sequence(closing: UInt8(ascii: "]"), depth: depth)
    case UInt8(ascii: "{"): return dictionary(depth: depth)
    default: break
    }
    if take("True") { return .boolean(true) }
    if take("False") { return .boolean(false) }
    return take("None") ? PythonLiteral.none : nil
  }

  private mutating func skipBlanks() {
    while let byte = rest.first, byte == 0x20 || byte == 0x0A || byte == 0x09 { rest.removeFirst() }
  }

  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest.removeFirst(word.utf8.count)
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func text() -> String? {
    guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { return nil }
    let bytes = rest[..<end]
    guard !bytes.contains(UInt8(ascii: "\\")), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    rest = rest[(end + 1)...]
    return text
  }

  private mutating func integer() -> PythonLiteral? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest.removeFirst(digits.count)
    // Python 2 marked long integers.
    if rest.first == UInt8(ascii: "L") { rest.removeFirst() }
    return UInt64(String(decoding: digits, as: UTF8.self)).map { .integer($0) }
  }

  private mutating func sequence(closing: UInt8, depth: Int) -> PythonLiteral? {
    rest.removeFirst()
    var elements: [PythonLiteral] = []
    while !take(closing) {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
      guard take(UInt8(ascii: ",")) else { return take(closing) ? .sequence(elements) : nil }
    }
    return .sequence(elements)
  }

  private mutating func dictionary(depth: Int) -> PythonLiteral? {
    rest.removeFirst()
    var members: [(key: String, value: PythonLiteral)] = []
    while !take(UInt8(ascii: "}")) {
      guard case .text(let key)? = value(depth: depth + 1), take(UInt8(ascii: ":")),
        let value = value(depth: depth + 1)
      else { return nil }
      members.append((key, value))
      guard take(UInt8(ascii: ",")) else {
        return take(UInt8(ascii: "}")) ? .dictionary(members) : nil
      }
    }
    return .dictionary(members)
  }
}
