/// The facts at the front of a GGUF file that its first mebibyte gives away.
struct GGUFHeader: Equatable {
  static let magic = Array("GGUF".utf8)
  private static let window = 1 << 20

  var version: UInt32
  var isBigEndian: Bool
  var architecture: String?
  /// What `general.type` says, such as `model`, `adapter` or `mmproj`.
  var kind: String?

  /// Reads the header; nil if the file is too short for one.
  init?<Source: ByteSource>(_ source: Source) throws(Source.Failure) {
    var cursor = ByteCursor(try source.read(at: 0, count: Self.window), at: Self.magic.count)
    guard let version = cursor.u32() else { return nil }
    isBigEndian = version != 0 && version & 0xFFFF == 0
    cursor.isBigEndian = isBigEndian
    self.version = isBigEndian ? version.byteSwapped : version
    readFacts(&cursor)
  }

  /// Walks the keys until both facts are there or the window ends.
  private mutating func readFacts(_ cursor: inout ByteCursor) {
    guard (1...3).contains(version) else { return }
    let isWide = version > 1
    guard cursor.count(isWide) != nil, let keys = cursor.count(isWide) else { return }
    var left = keys
    while left > 0, architecture == nil || kind == nil {
      left -= 1
      guard let key = cursor.string(isWide), let type = cursor.u32() else { return }
      guard type == 8 else {
        guard cursor.skipValue(of: type, isWide) else { return }
        continue
      }
      guard let value = cursor.string(isWide) else { return }
      if key.elementsEqual("general.architecture".utf8) { architecture = plainText(value) }
      if key.elementsEqual("general.type".utf8) { kind = plainText(value) }
    }
  }
}

extension ByteCursor {
  /// A count or a length, which has 32 bits in version 1 and 64 later.
  fileprivate mutating func count(_ isWide: Bool) -> UInt64? {
    isWide ? u64() : u32().map { UInt64($0) }
  }

  fileprivate mutating func string(_ isWide: Bool) -> ArraySlice<UInt8>? {
    guard let length = count(isWide) else { return nil }
    return take(length)
  }

  fileprivate mutating func skipValue(of type: UInt32, _ isWide: Bool) -> Bool {
    if let size = valueSize(type) { return skip(size) }
    if type == 8 { return string(isWide) != nil }
    guard type == 9, let element = u32(), let count = count(isWide) else { return false }
    if let size = valueSize(element) {
      let (total, overflowed) = count.multipliedReportingOverflow(by: size)
      return !overflowed && skip(total)
    }
    // Each string takes at least four bytes, so the loop ends with the window.
    guard element == 8, count <= UInt64(remaining) else { return false }
    for _ in 0..<count where string(isWide) == nil { return false }
    return true
  }

  /// The bytes of a number; nil for strings, arrays and what doesn't exist.
  private func valueSize(_ type: UInt32) -> UInt64? {
    switch type {
    case 0, 1, 7: 1
    case 2, 3: 2
    case 4, 5, 6: 4
    case 10, 11, 12: 8
    default: nil
    }
  }
}
