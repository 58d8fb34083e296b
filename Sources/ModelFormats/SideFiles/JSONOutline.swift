/// The few values that are asked for of a JSON text of any size, whose grammar is checked to its end.
struct JSONOutline {
  enum Value: Equatable {
    case text(String)
    case number(String)
    case boolean(Bool)
    case null, object, array
  }

  /// How many arrays and objects may stand inside each other.
  static let maximumDepth = 64

  /// The values found, by name; the names of nested members are joined by a dot.
  private(set) var values: [String: Value] = [:]

  /// Reads the text that fills the file.
  ///
  /// `wanted` has names of members of the outermost object, such as `model_type`, and of objects in it, such as
  /// `quantization.bits`. Of a name that occurs twice the last value counts, as for most readers.
  init(_ reader: inout FormatReader, wanted: Set<String>) throws(FormatStop) {
    var scanner = JSONScanner(greatestDepth: Self.maximumDepth, textLimit: 256)
    var names = MemberPath()
    var token = try scanner.next(&reader)
    while token != .end {
      let depth = scanner.depth
      switch token {
      case .name(let name): names.enter(name.bytes, depth: depth)
      case .endObject, .endArray: names.leave(to: depth)
      case .beginObject, .beginArray:
        if let name = names.name(at: depth - 1), wanted.contains(name) {
          values[name] = token == .beginObject ? .object : .array
        }
      default:
        if let name = names.name(at: depth), wanted.contains(name) { values[name] = Value(token) }
      }
      token = try scanner.next(&reader)
    }
    scanner.finish(&reader)
    try reader.requireBlanks(after: "the JSON text")
  }

  /// The text of a value that is one.
  func text(_ name: String) -> String? {
    if case .text(let text)? = values[name] { text } else { nil }
  }

  /// The integer of a value that is one.
  func integer(_ name: String) -> Int? {
    if case .number(let digits)? = values[name] { Int(digits) } else { nil }
  }
}

extension JSONOutline.Value {
  /// The value that a token is by itself; nil for a text that is too long to be kept, and for brackets.
  fileprivate init?(_ token: JSONScanner.Token) {
    switch token {
    case .string(let text):
      guard let bytes = text.bytes else { return nil }
      self = .text(String(decoding: bytes, as: UTF8.self))
    case .number(let digits, _): self = .number(String(decoding: digits, as: UTF8.self))
    case .boolean(let value): self = .boolean(value)
    case .null: self = .null
    default: return nil
    }
  }
}

/// The names of the members that are being read, of the two outermost levels.
private struct MemberPath {
  private static let maximumDepth = 2

  /// Nil for a name that is too long to be looked for.
  private var names: [String?] = []

  /// Takes the name of a member of the object at this depth, of which the outermost is 1.
  mutating func enter(_ name: [UInt8]?, depth: Int) {
    guard depth <= Self.maximumDepth else { return }
    leave(to: depth - 1)
    // Between the members there may be arrays, which have no names.
    while names.count < depth - 1 { names.append(nil) }
    names.append(name.map { String(decoding: $0, as: UTF8.self) })
  }

  mutating func leave(to depth: Int) {
    if names.count > depth { names.removeLast(names.count - depth) }
  }

  /// The name of a value that stands at this depth; nil if it isn't a member of objects alone.
  func name(at depth: Int) -> String? {
    guard depth > 0, depth == names.count else { return nil }
    let known = names.compactMap(\.self)
    return known.count == names.count ? known.joined(separator: ".") : nil
  }
}
