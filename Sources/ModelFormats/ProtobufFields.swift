/// The fields at the top of a protobuf message, found without reading what they hold.
struct ProtobufFields: Equatable {
  struct Field: Equatable {
    let number: UInt64
    /// The number of a varint; nil for the other kinds.
    let value: UInt64?
    /// Where the content of a length-delimited field lies; nil for the other kinds.
    let content: Range<Int>?
  }

  enum End: Equatable {
    /// The fields fill the file.
    case whole
    /// A field goes beyond the end of the file.
    case truncated(needed: UInt64)
    /// The bytes are no message, or it has more fields than this walk follows.
    case malformed
  }

  private static let maximumCount = 65_536
  private static let window = 4_096

  private(set) var fields: [Field] = []
  private(set) var end = End.whole

  /// Walks all fields; each takes one small read at most.
  init<Source: ByteSource>(_ source: Source) throws(Source.Failure) {
    var offset = 0
    var start = 0
    var piece: [UInt8] = []
    while offset < source.size {
      guard fields.count < Self.maximumCount else {
        end = .malformed
        return
      }
      // A tag and a length have at most twenty bytes.
      if offset + 20 > start + piece.count || offset < start {
        (start, piece) = (offset, try source.read(at: offset, count: Self.window))
      }
      var cursor = ByteCursor(piece, at: offset - start)
      guard let next = take(&cursor, at: start, size: source.size) else { return }
      offset = next
    }
  }

  /// Takes one field and returns where the next one starts; nil after setting `end`.
  private mutating func take(_ cursor: inout ByteCursor, at start: Int, size: Int) -> Int? {
    guard let tag = varint(&cursor, size), tag >> 3 > 0 else { return stop(.malformed) }
    let number = tag >> 3
    switch tag & 7 {
    case 0:
      guard let value = varint(&cursor, size) else { return nil }
      fields.append(Field(number: number, value: value, content: nil))
      return start + cursor.offset
    case 1: return skip(8, number, from: start + cursor.offset, size: size)
    case 5: return skip(4, number, from: start + cursor.offset, size: size)
    case 2:
      guard let length = varint(&cursor, size) else { return nil }
      return skip(length, number, from: start + cursor.offset, size: size, isContent: true)
    default: return stop(.malformed)
    }
  }

  private mutating func skip(
    _ length: UInt64,
    _ number: UInt64,
    from offset: Int,
    size: Int,
    isContent: Bool = false
  ) -> Int? {
    let (needed, overflowed) = UInt64(offset).addingReportingOverflow(length)
    guard !overflowed else { return stop(.malformed) }
    guard needed <= UInt64(size) else { return stop(.truncated(needed: needed)) }
    let content = offset..<Int(needed)
    fields.append(Field(number: number, value: nil, content: isContent ? content : nil))
    return content.upperBound
  }

  private mutating func varint(_ cursor: inout ByteCursor, _ size: Int) -> UInt64? {
    if let value = cursor.varint() { return value }
    // The window ends early only where the file does.
    return cursor.remaining == 0 ? stop(.truncated(needed: UInt64(size) + 1)) : stop(.malformed)
  }

  private mutating func stop<Value>(_ end: End) -> Value? {
    self.end = end
    return nil
  }
}

extension ProtobufFields {
  /// The first number of a varint field.
  func value(_ number: UInt64) -> UInt64? {
    fields.first { $0.number == number && $0.value != nil }?.value
  }

  /// Where the contents of a length-delimited field lie.
  func contents(_ number: UInt64) -> [Range<Int>] {
    fields.compactMap { $0.number == number ? $0.content : nil }
  }
}

extension ByteCursor {
  /// Reads a number in groups of seven bits; nil when it doesn't end within ten bytes, or has more
  /// than 64 bits.
  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = take(1)?.first else { return nil }
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { return nil }
      value |= bits << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
