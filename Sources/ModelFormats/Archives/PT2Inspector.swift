/// Checks a package that `torch.export` writes: a zip archive of programs, weights and, compiled, native libraries.
enum PT2Inspector: FormatInspector {
  private static let maximumText = 64
  private static let maximumNames = 256

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var format: String?
    var version: String?
    var libraries: [String] = []
    var models = 0
    var nested: [ZipEntry] = []
    try ZipDirectory.walk(&reader) { reader, entry throws(FormatStop) in
      guard entry.method == .stored else {
        throw .structure(
          .badType,
          at: entry.data.lowerBound,
          "entry \"\(entry.text)\"",
          expected: "bytes as they are, which torch maps into memory",
          found: "packed ones"
        )
      }
      if entry.hasPath("archive_format") { format = try text(of: entry, &reader) }
      if entry.hasPath("archive_version") { version = try text(of: entry, &reader) }
      let parts = entry.parts.dropFirst()
      if parts.first?.elementsEqual("models".utf8) == true, entry.hasSuffix(".json") { models += 1 }
      if [".so", ".dylib", ".dll", ".pyd", ".cubin"].contains(where: entry.hasSuffix),
        libraries.count < maximumNames
      {
        libraries.append(entry.text)
      }
      if [".pt", ".pkl", ".pth"].contains(where: entry.hasSuffix), nested.count < 4_096 {
        nested.append(entry)
      }
    }
    guard format == "pt2" else {
      throw .structure(
        .missingKey,
        at: 0,
        "the archive",
        expected: "archive_format pt2",
        found: format ?? "none"
      )
    }
    report.note("archiveVersion", text: version)
    report.note("models", models)
    report.note("nativeLibraries", list: libraries)
    if !libraries.isEmpty { report.runsCode = "it holds native libraries, which are code" }
    report.unknownToRuntimes.append("pt2 archive version \(version ?? "none")")
    for entry in nested { try scan(entry, &reader, into: &report) }
  }

  private static func text(of entry: ZipEntry, _ reader: inout FormatReader) throws(FormatStop)
    -> String?
  {
    guard entry.data.count <= maximumText else { return nil }
    return try reader.within(entry.data) { reader throws(FormatStop) in
      let bytes = try reader.take(reader.remaining).filter { $0 > 0x20 }
      return plainText(bytes)
    }
  }

  /// Scans pickles inside: of tensors they call nothing else than torch's own functions, and anything else is a fault.
  private static func scan(
    _ entry: ZipEntry,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var globals: [String] = []
    try reader.within(entry.data) { reader throws(FormatStop) in
      guard reader.remaining >= 4 else { return }
      let start = try reader.take(4)
      try reader.seek(to: UInt64(entry.data.lowerBound))
      if start == [0x50, 0x4B, 3, 4] {
        var inner = FormatReport(.pytorchZip)
        let archive = try PyTorchArchive(&reader, into: &inner)
        if archive.hasCode { report.runsCode = "it holds TorchScript, which is code" }
        globals = archive.globals
      } else if start[0] == 0x80, (2...5).contains(start[1]) {
        var scan = PickleScan()
        try scan.pickle(&reader)
        globals = scan.globals.sorted()
      } else {
        return
      }
    }
    guard !globals.isEmpty else { return }
    report.warn(
      .unsafeCode,
      at: entry.data.lowerBound,
      "entry \"\(entry.text)\"",
      expected: "no pickle",
      found: "one that calls \(globals.joined(separator: ", "))"
    )
  }
}
