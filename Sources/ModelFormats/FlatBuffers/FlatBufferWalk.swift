/// Follows the offsets of a flatbuffer, each of which must lead to a place inside the file that is aligned as its content.
///
/// Tables may be shared, and then visited more than once; the count of visits is limited by the size of the file.
struct FlatBufferWalk {
  static let maximumDepth = 32
  private static let maximumVisits = 3_000_000

  /// The end of the last byte that anything visited takes.
  private(set) var end = 8
  private var tables = 0

  /// Returns the root table, to which the first four bytes lead.
  mutating func root(_ reader: inout FormatReader) throws(FormatStop) -> FlatTable {
    try table(referredAt: 0, "the root table", &reader)
  }

  /// Follows the offset that stands at `place`.
  mutating func table(
    referredAt place: Int,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatTable {
    tables += 1
    guard tables <= min(Self.maximumVisits, reader.limit / 2) else { throw tooMany(at: place) }
    let offset = try target(of: place, subject, &reader)
    try reader.seek(to: UInt64(offset))
    // The offset to the list of fields is signed and counts backwards.
    let fields = offset - Int(try reader.i32())
    guard fields >= 4, fields % 2 == 0, fields <= reader.limit - 4 else {
      throw bad(
        .badOffset,
        at: offset,
        subject,
        "a list of fields inside the file",
        "one at \(fields)"
      )
    }
    try reader.seek(to: UInt64(fields))
    let fieldsSize = Int(try reader.u16())
    let size = Int(try reader.u16())
    guard fieldsSize >= 4, fieldsSize % 2 == 0, fieldsSize <= reader.limit - fields else {
      throw bad(
        .outOfBounds,
        at: fields,
        subject,
        "a list of fields inside the file",
        "\(fieldsSize) bytes"
      )
    }
    guard size >= 4, size <= reader.limit - offset else {
      throw bad(.outOfBounds, at: offset, subject, "a table inside the file", "\(size) bytes")
    }
    reach(offset + size)
    reach(fields + fieldsSize)
    return FlatTable(offset: offset, size: size, fields: fields, fieldsSize: fieldsSize)
  }

  /// Returns where a field of `size` bytes stands; nil if the table doesn't have it.
  func place(
    of slot: Int,
    size: Int,
    in table: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Int? {
    guard slot + 2 <= table.fieldsSize else { return nil }
    try reader.seek(to: UInt64(table.fields + slot))
    let offset = Int(try reader.u16())
    guard offset > 0 else { return nil }
    let place = table.offset + offset
    guard offset >= 4, offset + size <= table.size else {
      throw bad(
        .outOfBounds,
        at: place,
        "a field",
        "\(size) bytes inside its table",
        "offset \(offset)"
      )
    }
    guard place % size == 0 else {
      throw bad(.badOffset, at: place, "a field", "a multiple of \(size)", "\(place)")
    }
    return place
  }

  /// Notes that something visited ends there.
  mutating func reach(_ end: Int) { self.end = max(self.end, end) }

  private func target(
    of place: Int,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Int {
    try reader.seek(to: UInt64(place))
    let offset = Int(try reader.u32())
    let target = place + offset
    guard offset >= 4, target <= reader.limit - 4 else {
      throw bad(.badOffset, at: place, subject, "an offset inside the file", "\(offset)")
    }
    guard target % 4 == 0 else {
      throw bad(.badOffset, at: place, subject, "a multiple of 4", "\(target)")
    }
    return target
  }

  private func tooMany(at place: Int) -> FormatStop {
    bad(.countTooLarge, at: place, "the tables of the file", "fewer for its size", "\(tables)")
  }

  private func bad(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    .structure(code, at: offset, subject, expected: expected, found: found)
  }
}

// MARK: - Values of fields

extension FlatBufferWalk {
  func u8(_ slot: Int, in table: FlatTable, _ reader: inout FormatReader) throws(FormatStop)
    -> UInt8
  {
    guard let place = try place(of: slot, size: 1, in: table, &reader) else { return 0 }
    try reader.seek(to: UInt64(place))
    return try reader.u8()
  }

  func u32(_ slot: Int, in table: FlatTable, _ reader: inout FormatReader) throws(FormatStop)
    -> UInt32
  {
    guard let place = try place(of: slot, size: 4, in: table, &reader) else { return 0 }
    try reader.seek(to: UInt64(place))
    return try reader.u32()
  }

  func u64(_ slot: Int, in table: FlatTable, _ reader: inout FormatReader) throws(FormatStop)
    -> UInt64
  {
    guard let place = try place(of: slot, size: 8, in: table, &reader) else { return 0 }
    try reader.seek(to: UInt64(place))
    return try reader.u64()
  }

  mutating func table(
    _ slot: Int,
    in table: FlatTable,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatTable? {
    guard let place = try place(of: slot, size: 4, in: table, &reader) else { return nil }
    return try self.table(referredAt: place, subject, &reader)
  }

  /// Returns a vector whose elements take `size` bytes each; nil if the table doesn't have it.
  mutating func vector(
    _ slot: Int,
    of size: Int,
    in table: FlatTable,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatVector? {
    guard let place = try place(of: slot, size: 4, in: table, &reader) else { return nil }
    return try vector(referredAt: place, of: size, subject, &reader)
  }

  private mutating func vector(
    referredAt place: Int,
    of size: Int,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatVector {
    let offset = try target(of: place, subject, &reader)
    try reader.seek(to: UInt64(offset))
    let count = Int(try reader.u32())
    let room = reader.limit - offset - 4
    guard count <= room / size else {
      throw bad(.outOfBounds, at: offset, subject, "at most \(room / size) elements", "\(count)")
    }
    guard count == 0 || (offset + 4) % min(size, 8) == 0 else {
      throw bad(
        .badOffset,
        at: offset,
        subject,
        "elements at a multiple of \(size)",
        "\(offset + 4)"
      )
    }
    reach(offset + 4 + count * size)
    return FlatVector(offset: offset + 4, count: count)
  }

  /// Returns a text, at most 4,096 bytes of it; nil if the table doesn't have it.
  mutating func text(
    _ slot: Int,
    in table: FlatTable,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8]? {
    guard let place = try place(of: slot, size: 4, in: table, &reader) else { return nil }
    return try text(referredAt: place, subject, &reader)
  }

  /// Verifies texts to which the elements of `texts` lead.
  mutating func verify(
    texts: FlatVector,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    tables += texts.count
    guard tables <= min(Self.maximumVisits, reader.limit / 2) else {
      throw tooMany(at: texts.offset)
    }
    for index in 0..<texts.count {
      _ = try text(referredAt: texts.offset + 4 * index, subject, &reader)
    }
  }

  private mutating func text(
    referredAt place: Int,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8] {
    let text = try vector(referredAt: place, of: 1, subject, &reader)
    let end = text.offset + text.count
    try reader.seek(to: UInt64(end))
    guard reader.remaining > 0, try reader.u8() == 0 else {
      throw bad(.badEncoding, at: end, subject, "a text that ends with a zero byte", "none")
    }
    reach(end + 1)
    try reader.seek(to: UInt64(text.offset))
    return try reader.take(min(text.count, 4_096))
  }
}
