/// The entries of an archive of torch, read through its directory; its pickles are scanned.
struct PyTorchArchive {
  /// Whether the archive has TorchScript code.
  private(set) var hasCode = false
  private(set) var globals: [String] = []

  init(_ reader: inout FormatReader, into report: inout FormatReport) throws(FormatStop) {
    let base = reader.offset
    var pickles: [ZipEntry] = []
    var hasData = false
    var hasCode = false
    var count = 0
    try ZipDirectory.walk(&reader) { reader, entry throws(FormatStop) in
      let isCode = entry.parts.count > 2 && entry.parts[1].elementsEqual("code".utf8)
      guard entry.method == .stored || isCode else {
        throw .structure(
          .badType,
          at: entry.data.lowerBound,
          "entry \"\(entry.text)\"",
          expected: "bytes as they are, which torch maps into memory",
          found: "packed ones"
        )
      }
      count += 1
      if entry.hasPath("data.pkl") { hasData = true }
      if isCode { hasCode = true }
      if entry.hasSuffix(".pkl"), pickles.count < 1_024 { pickles.append(entry) }
    }
    guard hasData else {
      throw .structure(
        .missingKey,
        at: base,
        "the archive",
        expected: "data.pkl in its folder",
        found: "none"
      )
    }
    report.note("entries", count)
    self.hasCode = hasCode
    guard !hasCode else { return }
    var scan = PickleScan()
    for entry in pickles {
      try reader.within(entry.data) { reader throws(FormatStop) in try scan.pickle(&reader) }
    }
    globals = scan.globals.sorted()
  }
}
