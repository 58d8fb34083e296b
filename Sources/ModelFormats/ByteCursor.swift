/// Reads numbers and texts from bytes in memory, from front to back; every read is nil where the
/// bytes end.
struct ByteCursor {
  let bytes: [UInt8]
  var isBigEndian = false
  private(set) var offset = 0

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = max(0, min(offset, bytes.count))
  }

  var remaining: Int { bytes.count - offset }

  mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard let count = Int(exactly: count), count <= remaining else { return nil }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  mutating func skip(_ count: UInt64) -> Bool { take(count) != nil }

  mutating func u16() -> UInt16? { integer() }
  mutating func u32() -> UInt32? { integer() }
  mutating func u64() -> UInt64? { integer() }

  private mutating func integer<Value: FixedWidthInteger & UnsignedInteger>() -> Value? {
    guard let taken = take(UInt64(Value.bitWidth / 8)) else { return nil }
    let digits = isBigEndian ? Array(taken) : taken.reversed()
    return digits.reduce(0) { $0 << 8 | Value($1) }
  }
}

/// Returns the bytes as UTF-8 text if they are that, have no control characters, and are at most
/// `limit` bytes.
func plainText(_ bytes: some Collection<UInt8>, limit: Int = 256) -> String? {
  guard bytes.count <= limit, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
    return nil
  }
  return String(validating: bytes, as: UTF8.self)
}
