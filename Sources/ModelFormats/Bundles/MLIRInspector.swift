/// Checks the frame of MLIR bytecode: its sections fill the file.
///
/// Follows the format's description at mlir.llvm.org, for versions up to 6.
enum MLIRInspector: FormatInspector {
  private static let part = "the program"
  static let magic: [UInt8] = [0x4D, 0x4C, 0xEF, 0x52]
  private static let longestProducer = 4_096
  private static let greatestSection: UInt8 = 64
  /// Texts, dialects, attributes and types, their places, and the program itself.
  private static let neededSections: ClosedRange<UInt8> = 0...4
  private static let padding: UInt8 = 0xCB

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard try reader.take(min(4, reader.size)) == magic else {
      throw .structure(.badMagic, of: part, at: 0, "MLIR bytecode (4d 4c ef 52)", "another content")
    }
    _ = try prefixed(&reader)
    report.note("producer", text: try text(&reader))
    var seen: Set<UInt8> = []
    while reader.remaining > 0 {
      let place = reader.offset
      let number = try skipSection(&reader)
      guard seen.insert(number).inserted else {
        throw .structure(
          .duplicateKey,
          of: part,
          at: place,
          "each section once",
          "number \(number) again"
        )
      }
    }
    if let number = neededSections.first(where: { !seen.contains($0) }) {
      throw .structure(
        .truncated,
        of: part,
        at: reader.offset,
        "the section with number \(number)",
        "the end"
      )
    }
  }

  /// A section: its number, of which the highest bit says that it is aligned; its length; perhaps its alignment.
  ///
  /// Returns the number.
  private static func skipSection(_ reader: inout FormatReader) throws(FormatStop) -> UInt8 {
    let place = reader.offset
    let id = try reader.u8()
    guard id & 0x7F < greatestSection else {
      throw .structure(.badType, of: part, at: place, "a section", "number \(id & 0x7F)")
    }
    let length = try prefixed(&reader)
    if id & 0x80 != 0 {
      let alignment = try prefixed(&reader)
      guard alignment > 0, alignment & (alignment - 1) == 0, alignment <= 1 << 20 else {
        throw .structure(
          .badOffset,
          of: part,
          at: place,
          "an alignment that is a power of two",
          "\(alignment)"
        )
      }
      while UInt64(reader.offset) % alignment != 0 {
        guard try reader.u8() == padding else {
          throw .structure(
            .badOffset,
            of: part,
            at: reader.offset - 1,
            "the padding byte 0xcb",
            "another"
          )
        }
      }
    }
    try reader.skip(length)
    return id & 0x7F
  }

  /// Reads a number whose first byte tells by its lowest bits how many bytes it has.
  private static func prefixed(_ reader: inout FormatReader) throws(FormatStop) -> UInt64 {
    let first = try reader.u8()
    guard first != 0 else { return try reader.u64() }
    var value = UInt64(first)
    let more = first.trailingZeroBitCount
    for index in 0..<more { value |= UInt64(try reader.u8()) << (8 * UInt64(index + 1)) }
    return value >> UInt64(more + 1)
  }

  private static func text(_ reader: inout FormatReader) throws(FormatStop) -> [UInt8] {
    let place = reader.offset
    var bytes: [UInt8] = []
    while bytes.count <= longestProducer {
      let byte = try reader.u8()
      if byte == 0 { return bytes }
      bytes.append(byte)
    }
    throw .structure(
      .tooLong,
      of: part,
      at: place,
      "the name of its producer in \(longestProducer) bytes",
      "more"
    )
  }
}
