/// Checks GGUF files of all versions, in both orders of bytes.
///
/// The order of the checks, and what is refused, follow llama.cpp of autumn 2026, which refuses the
/// same; where it is more lenient, a file has crashed an older one.
enum GGUFInspector: FormatInspector {
  private static let maximumAlignment = 1 << 20

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let (version, isBigEndian) = try GGUFPrologue.version(&reader)
    report.version = Int(version)
    if isBigEndian { report.note("endianness", text: "big") }
    switch version {
    case 0: throw unsupported(version, "version 2 or 3")
    case 1:
      // Facts help a person; whatever else is wrong, no runtime has read this version since 2023.
      do throws(FormatStop) {
        try inspectBody(version, isBigEndian, &reader, into: &report)
      } catch .unreadable {
        throw .unreadable
      } catch {}
      throw unsupported(version, "version 2 or 3, since runtimes dropped this one")
    case 2, 3:
      try inspectBody(version, isBigEndian, &reader, into: &report)
    default:
      report.leaveUnverified(
        .newerVersion,
        at: 4,
        "the version",
        expected: "2 or 3",
        found: String(version)
      )
    }
  }

  private static func unsupported(_ version: UInt32, _ expected: String) -> FormatStop {
    .structure(
      .unsupportedVersion,
      at: 4,
      "the version",
      expected: expected,
      found: String(version)
    )
  }

  private static func inspectBody(
    _ version: UInt32,
    _ isBigEndian: Bool,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let prologue = try GGUFPrologue(version: version, isBigEndian: isBigEndian, counts: &reader)
    let metadata = try GGUFMetadata(prologue, &reader, into: &report)
    report.note("tensorCount", prologue.tensorCount)
    let facts = GGUFFacts(metadata, prologue)
    facts.note(into: &report)
    try checkMeaning(metadata)
    let alignment = try alignment(metadata, into: &report)
    report.note("alignment", alignment)
    let table = try GGUFTensorTable(
      prologue,
      alignment: UInt64(alignment),
      &reader,
      into: &report
    )
    facts.note(table, into: &report)
    let vocabulary = try GGUFVocabulary(
      metadata,
      &reader,
      isWide: prologue.isWide,
      into: &report
    )
    report.note("tokenCount", vocabulary.tokenCount)
    try vocabulary.checkRows(table.embeddingRows, into: &report)
    GGUFNeeds(prologue, metadata, table, facts.kind).derive(into: &report)
  }

  /// Returns the alignment of the data, 32 unless the file says otherwise.
  private static func alignment(
    _ metadata: GGUFMetadata,
    into report: inout FormatReport
  ) throws(FormatStop) -> Int {
    guard let value = metadata[GGUFKeys.alignment] else { return 32 }
    guard value.type == GGUFValue.TypeNumber.u32, let alignment = value.integer else {
      throw GGUFVocabulary.badType(value, GGUFKeys.alignment, "u32")
    }
    guard alignment > 0, alignment & (alignment - 1) == 0, alignment <= maximumAlignment else {
      throw .structure(
        .badOffset,
        at: value.offset,
        GGUFKeys.alignment,
        expected: "a power of two up to \(maximumAlignment)",
        found: String(alignment)
      )
    }
    if alignment < 8 {
      report.warn(
        .badOffset,
        at: value.offset,
        GGUFKeys.alignment,
        expected: "a multiple of 8",
        found: String(alignment)
      )
    }
    return alignment
  }

  /// Checks the keys that runtimes ask for by name and type.
  private static func checkMeaning(_ metadata: GGUFMetadata) throws(FormatStop) {
    let types: [(String, UInt32)] = [
      (GGUFKeys.architecture, GGUFValue.TypeNumber.string),
      (GGUFKeys.fileType, GGUFValue.TypeNumber.u32),
      (GGUFKeys.shardIndex, GGUFValue.TypeNumber.u16),
      (GGUFKeys.shardCount, GGUFValue.TypeNumber.u16),
      (GGUFKeys.allTensors, GGUFValue.TypeNumber.i32),
    ]
    for (key, type) in types {
      guard let value = metadata[key], value.type != type else { continue }
      throw GGUFVocabulary.badType(value, key, GGUFValue.name(type))
    }
    let isLaterShard = (metadata.integer(GGUFKeys.shardIndex) ?? 0) > 0
    let isImatrix = metadata.text(GGUFKeys.kind) == GGUFKind.imatrix.rawValue
    guard metadata[GGUFKeys.architecture] != nil || isLaterShard || isImatrix else {
      throw .structure(
        .missingKey,
        at: GGUFPrologue.length,
        "the keys",
        expected: GGUFKeys.architecture,
        found: "none"
      )
    }
  }
}
