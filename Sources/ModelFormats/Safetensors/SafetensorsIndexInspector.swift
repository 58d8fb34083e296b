/// Checks the index of a set of safetensors files by itself.
enum SafetensorsIndexInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var ledger = NameLedger()
    let index = try SafetensorsIndex(&reader) { name, place, _ in ledger.add(name, at: place) }
    let repetition = try ledger.repetition { place throws(FormatStop) in
      try SafetensorsHeader.name(at: place, &reader)
    }
    if let repetition { throw SafetensorsHeader.repeated(repetition) }
    report.note("tensorCount", index.tensorCount)
    report.note("shardCount", index.files.count)
    report.note("totalSize", index.totalSize)
  }
}
