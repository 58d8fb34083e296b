/// The file of weights beside a Core ML program: records at multiples of 64 bytes, each before its bytes.
enum WeightBlobs {
  private static let alignment = 64
  private static let version: UInt32 = 2
  private static let magic: UInt32 = 0xDEAD_BEEF

  /// Checks the records at `offsets`, and that the bytes of each lie inside the file.
  static func check(_ offsets: [UInt64], _ reader: inout FormatReader) throws(FormatStop) {
    try reader.require(UInt64(alignment))
    let count = try reader.u32()
    let version = try reader.u32()
    guard version == Self.version else {
      throw stop(
        .unsupportedVersion,
        at: 4,
        "the file of weights",
        "version \(Self.version)",
        "\(version)"
      )
    }
    guard UInt64(offsets.count) <= UInt64(count) else {
      throw stop(
        .countTooLarge,
        at: 0,
        "the file of weights",
        "\(offsets.count) records or more",
        "\(count)"
      )
    }
    for offset in offsets { try check(offset, &reader) }
  }

  private static func check(_ offset: UInt64, _ reader: inout FormatReader) throws(FormatStop) {
    let place = Int(clamping: offset)
    guard offset >= UInt64(alignment), place <= reader.size - alignment else {
      throw stop(
        .outOfBounds,
        at: place,
        "a record of weights",
        "one inside \(reader.size) bytes",
        "\(offset)"
      )
    }
    try reader.seek(to: offset)
    let magic = try reader.u32()
    guard magic == Self.magic else {
      throw stop(
        .badMagic,
        at: place,
        "a record of weights",
        "0xdeadbeef",
        "0x" + String(magic, radix: 16)
      )
    }
    try reader.skip(4)
    let (size, data) = (try reader.u64(), try reader.u64())
    let (end, overflowed) = data.addingReportingOverflow(size)
    guard !overflowed, end <= UInt64(reader.size) else {
      throw stop(
        .outOfBounds,
        at: place,
        "a record of weights",
        "an end at \(reader.size) or before",
        "\(size) bytes at \(data)"
      )
    }
    guard data % UInt64(alignment) == 0 else {
      throw stop(
        .badOffset,
        at: place,
        "a record of weights",
        "bytes at a multiple of 64",
        "\(data)"
      )
    }
  }

  private static func stop(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    .structure(code, at: offset, subject, expected: expected, found: found)
  }
}
