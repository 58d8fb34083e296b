/// Checks the container of LiteRT-LM: its header, and that all sections that this lists lie inside the file.
///
/// Follows `litertlm_header_schema.fbs`, version 1 of the container. What the sections hold is not looked into; no file
/// tells from which release on it can be loaded.
enum LiteRTLMInspector: FormatInspector {
  private static let part = "the header"
  static let magic = Array("LITERTLM".utf8)
  private static let newestVersion: UInt32 = 1
  private static let headerStart = 32
  /// Far more than the lists of a few sections take.
  private static let maximumHeader: UInt64 = 1 << 20

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    try reader.skip(UInt64(magic.count))
    let (major, minor, patch) = (try reader.u32(), try reader.u32(), try reader.u32())
    report.version = Int(major)
    report.note("containerVersion", text: "\(major).\(minor).\(patch)")
    report.unknownToRuntimes.append("LiteRT-LM container version \(major).\(minor).\(patch)")
    guard major >= 1 else {
      throw .structure(.unsupportedVersion, of: part, at: 8, "version \(newestVersion)", "\(major)")
    }
    guard major <= newestVersion else {
      return report.leaveUnverified(
        .newerVersion,
        at: 8,
        "the version of the container",
        expected: "\(newestVersion)",
        found: "\(major)"
      )
    }
    try reader.skip(4)
    try checkSections(try header(&reader), fileSize: reader.size, into: &report)
  }

  /// Takes the header, which goes on to the place that the file gives for its end.
  private static func header(_ reader: inout FormatReader) throws(FormatStop) -> [UInt8] {
    let end = try reader.u64()
    let (length, isBefore) = end.subtractingReportingOverflow(UInt64(headerStart))
    guard !isBefore else {
      throw .structure(.badOffset, of: part, at: 24, "an end from 32 on", "\(end)")
    }
    try reader.require(length)
    guard length <= maximumHeader else {
      throw .structure(.tooLong, of: part, at: 24, "at most \(maximumHeader) bytes", "\(length)")
    }
    return try reader.take(Int(length))
  }

  private static func checkSections(
    _ header: [UInt8],
    fileSize: Int,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let sections = try sections(in: header)
    guard !sections.isEmpty else {
      throw .structure(.missingKey, of: part, at: headerStart, "a section", "none")
    }
    for (index, section) in sections.enumerated() {
      guard section.begin <= section.end else {
        let expected = "an end of section \(index) from \(section.begin) on"
        throw .structure(.badOffset, of: part, at: headerStart, expected, "\(section.end)")
      }
      guard section.end <= UInt64(fileSize) else {
        throw .fault(.truncated(needed: section.end, size: fileSize))
      }
    }
    report.note("sections", sections.count)
  }

  /// Reads the list of the sections, in which places are counted from the start of the header.
  private static func sections(
    in header: [UInt8]
  ) throws(FormatStop) -> [(begin: UInt64, end: UInt64)] {
    var reader = FormatReader(header)
    do throws(FormatStop) {
      var walk = FlatBufferWalk()
      var sections: [(begin: UInt64, end: UInt64)] = []
      let root = try walk.root(&reader)
      guard let list = try walk.table(6, in: root, "the list of sections", &reader),
        let places = try walk.vector(4, of: 4, in: list, "the sections", &reader)
      else { return [] }
      for index in 0..<places.count {
        let place = places.offset + 4 * index
        let section = try walk.table(referredAt: place, "a section", &reader)
        let begin = try walk.u64(6, in: section, &reader)
        sections.append((begin, try walk.u64(8, in: section, &reader)))
      }
      return sections
    } catch {
      throw inFile(error)
    }
  }

  /// The same stop with its place counted from the start of the file.
  private static func inFile(_ error: FormatStop) -> FormatStop {
    switch error {
    case .fault(.structure(let fault)):
      .structure(
        fault.code,
        at: headerStart + fault.offset,
        fault.subject,
        expected: fault.expected,
        found: fault.found
      )
    case .fault(.truncated):
      .structure(
        .outOfBounds,
        of: part,
        at: headerStart,
        "all that it lists before its end",
        "more"
      )
    default: error
    }
  }
}
