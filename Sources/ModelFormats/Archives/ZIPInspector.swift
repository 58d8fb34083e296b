/// Checks any other zip archive, such as a `.task` bundle, and finds the pickles in it.
enum ZIPInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var count = 0
    try ZipDirectory.walk(&reader) { reader, entry throws(FormatStop) in
      count += 1
      if try isPickle(entry, &reader) {
        report.runsCode = "\(entry.text) in it is a pickle, and loading one can call any function"
      }
    }
    report.note("entries", count)
  }

  /// Whether an entry is a pickle by its name or its first bytes, or an archive of torch, which holds one.
  private static func isPickle(
    _ entry: ZipEntry,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> Bool {
    if [".pkl", ".pickle", ".pt", ".pth", ".ckpt"].contains(where: entry.hasSuffix) { return true }
    guard entry.method == .stored, entry.data.count > 2 else { return false }
    return try reader.within(entry.data) { reader throws(FormatStop) in
      let start = try reader.take(2)
      return start[0] == 0x80 && (2...5).contains(start[1])
    }
  }
}
