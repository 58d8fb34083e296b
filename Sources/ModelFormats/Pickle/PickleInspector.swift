/// Scans a bare pickle: loading one does what is written in it.
enum PickleInspector: FormatInspector {
  /// Files of old torch releases hold five pickles, and then the bytes of the tensors.
  private static let picklesOfTorch = 5

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    report.runsCode = "it is a pickle, and loading one can call any function"
    reader.isOnePass = true
    var scan = PickleScan()
    var count = 0
    while reader.remaining > 0, !(scan.isTorch && count == picklesOfTorch) {
      try scan.pickle(&reader)
      count += 1
    }
    report.note("globals", list: scan.globals.sorted())
  }
}
