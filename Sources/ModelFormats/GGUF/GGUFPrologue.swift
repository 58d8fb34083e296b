/// The first 24 bytes of a GGUF file: version, order of bytes, and both counts.
struct GGUFPrologue: Equatable {
  static let length = 24
  /// Own limits, far above any real file.
  static let maximumKeys: UInt64 = 65_536
  static let maximumTensors: UInt64 = 1_048_576

  let version: UInt32
  let isBigEndian: Bool
  let tensorCount: Int
  let keyCount: Int

  /// Whether counts and lengths have 64 bits, as from version 2 on.
  var isWide: Bool { version > 1 }
}

extension GGUFPrologue {
  /// The version and the order of bytes, which the version gives away: no version has 65,536 or more.
  static func version(
    _ reader: inout FormatReader
  ) throws(FormatStop) -> (version: UInt32, isBigEndian: Bool) {
    guard reader.size >= length else { throw reader.truncated(needed: UInt64(length)) }
    try reader.skip(4)
    let word = try reader.u32()
    let isBigEndian = word != 0 && word & 0xFFFF == 0
    reader.isBigEndian = isBigEndian
    return (isBigEndian ? word.byteSwapped : word, isBigEndian)
  }

  /// Reads the counts behind the version; each must be possible in the bytes that remain.
  init(
    version: UInt32,
    isBigEndian: Bool,
    counts reader: inout FormatReader
  ) throws(FormatStop) {
    self.version = version
    self.isBigEndian = isBigEndian
    let isWide = version > 1
    let place = reader.offset
    let tensors = try Self.count(&reader, isWide)
    let keys = try Self.count(&reader, isWide)
    tensorCount = try Self.check(
      tensors,
      "the count of tensors",
      at: place,
      least: isWide ? 24 : 20,
      limit: Self.maximumTensors,
      reader
    )
    keyCount = try Self.check(
      keys,
      "the count of keys",
      at: place + (isWide ? 8 : 4),
      least: isWide ? 14 : 10,
      limit: Self.maximumKeys,
      reader
    )
  }

  private static func count(
    _ reader: inout FormatReader,
    _ isWide: Bool
  ) throws(FormatStop) -> UInt64 {
    isWide ? try reader.u64() : UInt64(try reader.u32())
  }

  /// Checks a count against `limit`, and against the room for entries of `least` bytes.
  private static func check(
    _ count: UInt64,
    _ subject: String,
    at offset: Int,
    least: UInt64,
    limit: UInt64,
    _ reader: borrowing FormatReader
  ) throws(FormatStop) -> Int {
    guard count <= limit else {
      throw .structure(
        .countTooLarge,
        at: offset,
        subject,
        expected: "at most \(limit)",
        found: String(count)
      )
    }
    try reader.require(count * least)
    return Int(count)
  }
}
