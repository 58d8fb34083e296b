/// The fact at the front of a TensorFlow Lite model.
enum TFLiteModel {
  static let magic = Array("TFL3".utf8)

  /// Reads `Model.version` through the root table of the flatbuffer; nil if an offset leads out of
  /// the file.
  static func version<Source: ByteSource>(
    _ source: Source
  ) throws(Source.Failure) -> Int? {
    guard let table = try number(source, at: 0, UInt32.self).map(Int.init),
      let back = try number(source, at: table, UInt32.self)
    else { return nil }
    // The offset to the table of fields is signed and counts backwards.
    let fields = table - Int(Int32(bitPattern: back))
    guard let size = try number(source, at: fields, UInt16.self), size >= 6,
      let slot = try number(source, at: fields + 4, UInt16.self), slot != 0
    else { return nil }
    return try number(source, at: table + Int(slot), UInt32.self).map(Int.init)
  }

  private static func number<
    Source: ByteSource,
    Value: UnsignedInteger & FixedWidthInteger
  >(
    _ source: Source,
    at offset: Int,
    _ type: Value.Type
  ) throws(Source.Failure) -> Value? {
    let count = Value.bitWidth / 8
    guard offset >= 0, offset < source.size else { return nil }
    let bytes = try source.read(at: offset, count: count)
    guard bytes.count == count else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | Value($1) }
  }
}
