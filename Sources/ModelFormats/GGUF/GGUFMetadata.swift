/// The keys of a GGUF file, of which only those with a meaning here are kept.
struct GGUFMetadata {
  static let maximumKeyLength: UInt64 = 65_535
  static let maximumStringLength: UInt64 = 1 << 30
  static let maximumArrayCount: UInt64 = 1 << 30
  /// The bytes that are kept of a text.
  private static let keptText = 1_024
  /// The bytes that are shown of a name that no table has.
  private static let shownName = 64
  /// Longer keys mean nothing here.
  private static let keptKey = 128

  private(set) var values: [String: GGUFValue] = [:]
  private let isWide: Bool

  subscript(key: String) -> GGUFValue? { values[key] }

  func text(_ key: String) -> String? { values[key]?.text.flatMap { plainText($0) } }
  func integer(_ key: String) -> Int? { values[key]?.integer }

  /// The name that a key gives, to be looked up; nil only if the key is absent.
  ///
  /// One that is too long, no plain text or not even a text is in no table, and is not to be printed unescaped.
  func name(_ key: String) -> String? {
    guard let value = values[key] else { return nil }
    guard let bytes = value.text else { return "of type \(GGUFValue.name(value.type))" }
    if let name = plainText(bytes) { return name }
    let start = String(decoding: bytes.prefix(Self.shownName), as: UTF8.self)
    return bytes.count > Self.shownName ? start + "…" : start
  }
}

extension GGUFMetadata {
  /// Reads all keys and values; `reader` stands behind the counts, and then behind the last value.
  init(
    _ prologue: GGUFPrologue,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    isWide = prologue.isWide
    var ledger = NameLedger()
    for _ in 0..<prologue.keyCount {
      let place = reader.offset
      let key = try Self.key(&reader, isWide, into: &report)
      ledger.add(key, at: place)
      let type = try reader.u32()
      guard type <= GGUFValue.TypeNumber.last else {
        throw Self.badType(type, at: reader.offset - 4, key)
      }
      let name = key.count <= Self.keptKey ? plainText(key) : nil
      let kept = name.flatMap { GGUFKeys.isKept($0) ? $0 : nil }
      let value = try value(type, &reader, key, isKept: kept != nil, into: &report)
      if let kept { values[kept] = value }
    }
    let isWide = isWide
    let repetition = try ledger.repetition { place throws(FormatStop) in
      try reader.within(place..<reader.size) { reader throws(FormatStop) in
        try Self.bytes(&reader, isWide, limit: Self.maximumKeyLength, "a key")
      }
    }
    if let repetition {
      throw .structure(
        .duplicateKey,
        at: repetition,
        "a key",
        expected: "a name of its own",
        found: "one that stands before"
      )
    }
  }

  private static func key(
    _ reader: inout FormatReader,
    _ isWide: Bool,
    into report: inout FormatReport
  ) throws(FormatStop) -> [UInt8] {
    let place = reader.offset
    let key = try bytes(&reader, isWide, limit: maximumKeyLength, "a key")
    guard !key.isEmpty, !key.contains(0) else {
      throw .structure(
        .badEncoding,
        at: place,
        "a key",
        expected: "a name without NUL",
        found: key.isEmpty ? "an empty one" : String(decoding: key, as: UTF8.self)
      )
    }
    if !key.allSatisfy(isUsual) {
      report.warn(
        .badEncoding,
        at: place,
        "a key",
        expected: "a-z, 0-9, '_', '.' and '-'",
        found: String(decoding: key.prefix(256), as: UTF8.self)
      )
    }
    return key
  }

  private static func isUsual(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "_.-".utf8.contains(byte)
  }

  /// Reads a string of at most `limit` bytes.
  static func bytes(
    _ reader: inout FormatReader,
    _ isWide: Bool,
    limit: UInt64,
    _ subject: String
  ) throws(FormatStop) -> [UInt8] {
    let length = try length(&reader, isWide, limit: limit, subject)
    return try reader.take(length)
  }

  /// Reads the length of a string, which must be there in full.
  private static func length(
    _ reader: inout FormatReader,
    _ isWide: Bool,
    limit: UInt64,
    _ subject: String
  ) throws(FormatStop) -> Int {
    let place = reader.offset
    let length = isWide ? try reader.u64() : UInt64(try reader.u32())
    guard length <= limit else {
      throw .structure(
        .tooLong,
        at: place,
        subject,
        expected: "at most \(limit) bytes",
        found: String(length)
      )
    }
    try reader.require(length)
    return Int(length)
  }

  private static func badType(_ type: UInt32, at offset: Int, _ key: [UInt8]) -> FormatStop {
    .structure(
      .badType,
      at: offset,
      "the value of \"\(String(decoding: key.prefix(128), as: UTF8.self))\"",
      expected: "a type from 0 to 12",
      found: String(Int32(bitPattern: type))
    )
  }
}

// MARK: - Values

extension GGUFMetadata {
  private func value(
    _ type: UInt32,
    _ reader: inout FormatReader,
    _ key: [UInt8],
    isKept: Bool,
    into report: inout FormatReport
  ) throws(FormatStop) -> GGUFValue {
    let offset = reader.offset
    let content: GGUFValue.Content
    switch type {
    case GGUFValue.TypeNumber.string:
      let length = try Self.length(
        &reader,
        isWide,
        limit: Self.maximumStringLength,
        "the value of \"\(Self.shown(key))\""
      )
      let end = reader.offset + length
      content = isKept ? .text(try reader.take(min(length, Self.keptText))) : .other
      try reader.seek(to: UInt64(end))
    case GGUFValue.TypeNumber.array: content = try array(&reader, key, into: &report)
    default: content = try number(type, &reader, key, into: &report)
    }
    return GGUFValue(type: type, offset: offset, content: content)
  }

  private func number(
    _ type: UInt32,
    _ reader: inout FormatReader,
    _ key: [UInt8],
    into report: inout FormatReport
  ) throws(FormatStop) -> GGUFValue.Content {
    switch type {
    case 0: return .integer(Int(try reader.u8()))
    case 1: return .integer(Int(Int8(bitPattern: try reader.u8())))
    case 2: return .integer(Int(try reader.u16()))
    case 3: return .integer(Int(Int16(bitPattern: try reader.u16())))
    case 4: return .integer(Int(try reader.u32()))
    case 5: return .integer(Int(try reader.i32()))
    case 10: return .integer(Int(clamping: try reader.u64()))
    case 11: return .integer(Int(try reader.i64()))
    case GGUFValue.TypeNumber.bool:
      let place = reader.offset
      let byte = try reader.u8()
      if byte > 1 { Self.warnOfBool(byte, at: place, key, into: &report) }
    default: try reader.skip(UInt64(GGUFValue.size(type) ?? 0))
    }
    return .other
  }

  private func array(
    _ reader: inout FormatReader,
    _ key: [UInt8],
    into report: inout FormatReport
  ) throws(FormatStop) -> GGUFValue.Content {
    let element = try reader.u32()
    guard element <= GGUFValue.TypeNumber.last, element != GGUFValue.TypeNumber.array else {
      throw .structure(
        .badType,
        at: reader.offset - 4,
        "the elements of \"\(Self.shown(key))\"",
        expected: "numbers or strings",
        found: GGUFValue.name(element)
      )
    }
    let place = reader.offset
    let count = isWide ? try reader.u64() : UInt64(try reader.u32())
    let least = UInt64(GGUFValue.size(element) ?? (isWide ? 8 : 4))
    guard count <= Self.maximumArrayCount else {
      throw .structure(
        .countTooLarge,
        at: place,
        "the elements of \"\(Self.shown(key))\"",
        expected: "at most \(Self.maximumArrayCount)",
        found: String(count)
      )
    }
    try reader.require(count * least)
    let offset = reader.offset
    try skipElements(element, Int(count), &reader, key, into: &report)
    return .array(element: element, count: Int(count), offset: offset)
  }

  private func skipElements(
    _ element: UInt32,
    _ count: Int,
    _ reader: inout FormatReader,
    _ key: [UInt8],
    into report: inout FormatReport
  ) throws(FormatStop) {
    if element == GGUFValue.TypeNumber.string {
      let subject = "an element of \"\(Self.shown(key))\""
      for _ in 0..<count {
        let length = try Self.length(&reader, isWide, limit: Self.maximumStringLength, subject)
        try reader.skip(UInt64(length))
      }
    } else if element == GGUFValue.TypeNumber.bool {
      try reader.within(next: UInt64(count)) { reader throws(FormatStop) in
        while reader.remaining > 0 {
          let place = reader.offset
          let bytes = try reader.takeWindow()
          guard let index = bytes.firstIndex(where: { $0 > 1 }) else { continue }
          Self.warnOfBool(bytes[index], at: place + index - bytes.startIndex, key, into: &report)
          break
        }
      }
    } else {
      try reader.skip(UInt64(count) * UInt64(GGUFValue.size(element) ?? 0))
    }
  }

  private static func warnOfBool(
    _ byte: UInt8,
    at offset: Int,
    _ key: [UInt8],
    into report: inout FormatReport
  ) {
    report.warn(
      .badType,
      at: offset,
      "the value of \"\(shown(key))\"",
      expected: "0 or 1",
      found: String(byte)
    )
  }

  private static func shown(_ key: [UInt8]) -> String {
    String(decoding: key.prefix(128), as: UTF8.self)
  }
}
