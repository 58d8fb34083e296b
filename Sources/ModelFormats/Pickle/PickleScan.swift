/// Reads the operations of a pickle without doing any, and finds what unpickling would call.
///
/// A scan is no proof that a pickle is harmless. It refuses what it can't follow.
struct PickleScan {
  /// What a file of tensors alone has to call.
  static let allowed: Set<String> = Set(
    [
      "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter",
      "collections OrderedDict",
    ]
      + [
        "Float", "Half", "BFloat16", "Double", "Long", "Int", "Short", "Char", "Byte", "Bool",
        "ComplexFloat", "ComplexDouble", "QInt8", "QUInt8", "QInt32",
      ].map { "torch \($0)Storage" }
  )
  private static let longestLine = 4_096
  private static let longestText = 256

  /// The globals that are named, as module and name.
  private(set) var globals: Set<String> = []
  /// Whether the first number is the one that old torch files begin with.
  private(set) var isTorch = false
  /// The two values that were pushed last; nil for what is no text, or unknown.
  private var recent: [String?] = [nil, nil]
  private var memo = PickleMemo()

  /// Reads one pickle up to its end.
  ///
  /// - Throws: `unsafeCode` for a global that is not among `allowed`, or that can't be told.
  mutating func pickle(_ reader: inout FormatReader) throws(FormatStop) {
    recent = [nil, nil]
    memo = PickleMemo()
    while true {
      let place = reader.offset
      let operation = try reader.u8()
      if operation == UInt8(ascii: ".") { return }
      try take(operation, at: place, &reader)
    }
  }

  private mutating func take(
    _ operation: UInt8,
    at place: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    switch operation {
    case UInt8(ascii: "c"), UInt8(ascii: "i"): try takeGlobal(at: place, &reader)
    case 0x93: try takeStackGlobal(at: place)
    case 0x82, 0x83, 0x84:
      throw Self.refusal(at: place, "a global by its number in a registry")
    case UInt8(ascii: "U"), UInt8(ascii: "C"), 0x8C: try takeText(UInt64(try reader.u8()), &reader)
    case UInt8(ascii: "T"), UInt8(ascii: "B"), UInt8(ascii: "X"):
      try takeText(UInt64(try reader.u32()), &reader)
    case 0x8D, 0x8E, 0x96: try takeText(try reader.u64(), &reader)
    case UInt8(ascii: "S"), UInt8(ascii: "V"): push(try Self.text(ofLine: try line(&reader)))
    case 0x94: try remember(memo.count, at: place)
    case UInt8(ascii: "q"): try remember(UInt64(try reader.u8()), at: place)
    case UInt8(ascii: "r"): try remember(UInt64(try reader.u32()), at: place)
    case UInt8(ascii: "p"): try remember(try number(&reader), at: place)
    case UInt8(ascii: "h"): push(memo[UInt64(try reader.u8())])
    case UInt8(ascii: "j"): push(memo[UInt64(try reader.u32())])
    case UInt8(ascii: "g"): push(memo[try number(&reader)])
    case 0x80, 0x95: try reader.skip(operation == 0x80 ? 1 : 8)
    default: try takeOther(operation, at: place, &reader)
    }
  }

  /// Operations after which nothing is known of the values that were pushed last.
  private mutating func takeOther(
    _ operation: UInt8,
    at place: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    recent = [nil, nil]
    switch operation {
    case UInt8(ascii: "K"): try reader.skip(1)
    case UInt8(ascii: "M"): try reader.skip(2)
    case UInt8(ascii: "J"): try reader.skip(4)
    case UInt8(ascii: "G"): try reader.skip(8)
    case 0x8A: try takeLong(Int(try reader.u8()), &reader)
    case 0x8B: try reader.skip(UInt64(try reader.u32()))
    case UInt8(ascii: "F"), UInt8(ascii: "I"), UInt8(ascii: "L"), UInt8(ascii: "P"):
      _ = try line(&reader)
    default:
      guard Self.isPlain(operation) else {
        throw .structure(
          .badEncoding,
          at: place,
          "the pickle",
          expected: "an operation",
          found: hexadecimal(operation)
        )
      }
    }
  }

  /// Whether the operation takes no bytes behind it.
  private static func isPlain(_ operation: UInt8) -> Bool {
    switch operation {
    case 0x81, 0x85...0x89, 0x8F...0x92, 0x97, 0x98: true
    default: "(012RbNaed}l]sut)oQ".utf8.contains(operation)
    }
  }
}

// MARK: - Values

extension PickleScan {
  private mutating func push(_ text: String?) { recent = [recent[1], text] }

  private mutating func takeText(_ length: UInt64, _ reader: inout FormatReader) throws(FormatStop)
  {
    guard length <= UInt64(Self.longestText) else {
      try reader.skip(length)
      return push(nil)
    }
    push(String(validating: try reader.take(Int(length)), as: UTF8.self))
  }

  private mutating func takeLong(_ length: Int, _ reader: inout FormatReader) throws(FormatStop) {
    let bytes = try reader.take(length)
    let magic: [UInt8] = [0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19]
    if bytes == magic { isTorch = true }
  }

  private mutating func remember(_ key: UInt64, at place: Int) throws(FormatStop) {
    guard memo.remember(recent[1], at: key) else {
      throw Self.refusal(at: place, "values under numbers without an order that can be followed")
    }
  }

  private func line(_ reader: inout FormatReader) throws(FormatStop) -> [UInt8] {
    let place = reader.offset
    var bytes: [UInt8] = []
    while bytes.count <= Self.longestLine {
      let byte = try reader.u8()
      if byte == 0x0A { return bytes }
      bytes.append(byte)
    }
    throw .structure(
      .tooLong,
      at: place,
      "a line of the pickle",
      expected: "at most \(Self.longestLine) bytes",
      found: "more"
    )
  }

  private func number(_ reader: inout FormatReader) throws(FormatStop) -> UInt64 {
    let place = reader.offset
    let bytes = try line(&reader)
    guard let number = UInt64(String(decoding: bytes, as: UTF8.self)) else {
      throw .structure(
        .badEncoding,
        at: place,
        "the pickle",
        expected: "a number",
        found: "another text"
      )
    }
    return number
  }

  /// The text of a line, without the quotation marks that old pickles have; nil where it has escapes.
  private static func text(ofLine line: [UInt8]) throws(FormatStop) -> String? {
    guard line.count <= longestText, !line.contains(UInt8(ascii: "\\")) else { return nil }
    let quote = line.first
    let isQuoted = line.count > 1 && quote == line.last && (quote == 0x22 || quote == 0x27)
    return String(validating: isQuoted ? Array(line.dropFirst().dropLast()) : line, as: UTF8.self)
  }
}

// MARK: - Globals

extension PickleScan {
  private mutating func takeGlobal(at place: Int, _ reader: inout FormatReader) throws(FormatStop) {
    let module = String(decoding: try line(&reader), as: UTF8.self)
    let name = String(decoding: try line(&reader), as: UTF8.self)
    try note("\(module) \(name)", at: place)
  }

  private mutating func takeStackGlobal(at place: Int) throws(FormatStop) {
    guard let module = recent[0], let name = recent[1] else {
      throw Self.refusal(at: place, "a global whose name can't be told")
    }
    try note("\(module) \(name)", at: place)
  }

  private mutating func note(_ global: String, at place: Int) throws(FormatStop) {
    recent = [nil, nil]
    guard Self.allowed.contains(global) else { throw Self.refusal(at: place, global) }
    globals.insert(global)
  }

  private static func refusal(at place: Int, _ global: String) -> FormatStop {
    .structure(
      .unsafeCode,
      at: place,
      "what unpickling calls",
      expected: "what tensors alone need",
      found: global
    )
  }
}
