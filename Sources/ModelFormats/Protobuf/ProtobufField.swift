/// One field of a protobuf message, as it stands before the reader; its content is not read yet.
struct ProtobufField: Equatable {
  enum Wire: UInt8 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
  }

  let number: Int
  let wire: Wire
  /// Where its tag stands.
  let offset: Int
  /// The number of a varint, or the count of bytes of what is length-delimited; 0 for the others.
  let value: UInt64
}

extension FormatReader {
  /// Reads a number in groups of seven bits: at most ten bytes, and 64 bits.
  mutating func varint() throws(FormatStop) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard remaining > 0 else { throw cut("a number", needed: 1) }
      let byte = try u8()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { break }
      value |= bits << shift
      if byte & 0x80 == 0 { return value }
    }
    throw .structure(
      .overflow,
      at: start,
      "a protobuf number",
      expected: "at most 64 bits",
      found: "more"
    )
  }

  /// Calls `body` for each field up to `limit`, with the reader at its content, and goes on behind it, whatever `body`
  /// has read.
  mutating func fields(
    _ body: (inout FormatReader, ProtobufField) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    while remaining > 0 {
      let field = try field()
      let end = UInt64(offset) + contentLength(of: field)
      try body(&self, field)
      try seek(to: end)
    }
  }

  /// Walks the message that `field` holds; of another kind of field it is a fault.
  mutating func message(
    _ field: ProtobufField,
    _ body: (inout FormatReader, ProtobufField) throws(FormatStop) -> Void
  ) throws(FormatStop) {
    try require(.bytes, field)
    try within(next: field.value) { reader throws(FormatStop) in try reader.fields(body) }
  }

  /// Returns the bytes of a text or of bytes, at most `limit` of them; nil if there are more.
  mutating func content(
    of field: ProtobufField,
    limit: Int = 4_096
  ) throws(FormatStop) -> [UInt8]? {
    try require(.bytes, field)
    guard field.value <= UInt64(limit) else { return nil }
    return try take(Int(field.value))
  }

  /// Throws unless `field` is of this kind: a reader that knows the field would take it for an unknown one.
  func require(_ wire: ProtobufField.Wire, _ field: ProtobufField) throws(FormatStop) {
    guard field.wire == wire else {
      throw .structure(
        .badType,
        at: field.offset,
        "protobuf field \(field.number)",
        expected: "wire type \(wire.rawValue)",
        found: "wire type \(field.wire.rawValue)"
      )
    }
  }

  private mutating func field() throws(FormatStop) -> ProtobufField {
    let start = offset
    let tag = try varint()
    let number = tag >> 3
    guard number > 0 || limit < size else {
      throw .structure(
        .trailingBytes,
        at: start,
        "the end of the message",
        expected: "the end of the file",
        found: "\(size - start) bytes that are no field"
      )
    }
    guard let wire = ProtobufField.Wire(rawValue: UInt8(tag & 7)),
      (1...0x1FFF_FFFF).contains(number)
    else {
      throw .structure(
        .badType,
        at: start,
        "a protobuf field",
        expected: "a number over 0 and wire type 0, 1, 2 or 5",
        found: "number \(number) and wire type \(tag & 7)"
      )
    }
    let value = wire == .varint || wire == .bytes ? try varint() : 0
    let field = ProtobufField(number: Int(number), wire: wire, offset: start, value: value)
    let length = contentLength(of: field)
    guard length <= UInt64(remaining) else { throw cut("protobuf field \(number)", needed: length) }
    return field
  }

  private func contentLength(of field: ProtobufField) -> UInt64 {
    switch field.wire {
    case .varint: 0
    case .fixed64: 8
    case .fixed32: 4
    case .bytes: field.value
    }
  }

  /// The stop at bytes that are not there: the file is cut short, or an inner message leaves its outer one.
  private func cut(_ subject: String, needed: UInt64) -> FormatStop {
    guard limit < size else {
      let (end, overflowed) = UInt64(offset).addingReportingOverflow(needed)
      return truncated(needed: overflowed ? .max : end)
    }
    return .structure(
      .outOfBounds,
      at: offset,
      subject,
      expected: "an end at \(limit) or before, where the message ends",
      found: "\(needed) bytes"
    )
  }
}
