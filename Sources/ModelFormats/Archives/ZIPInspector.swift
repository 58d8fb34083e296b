/// Checks any other zip archive, such as a `.task` bundle, and names the pickles in it.
enum ZIPInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var count = 0
    try ZipDirectory.walk(&reader) { _, entry throws(FormatStop) in
      count += 1
      guard [".pkl", ".pickle", ".pt", ".pth"].contains(where: entry.hasSuffix) else { return }
      report.warn(
        .unsafeCode,
        at: entry.data.lowerBound,
        "entry \"\(entry.text)\"",
        expected: "no pickle",
        found: "one by its name"
      )
    }
    report.note("entries", count)
  }
}
