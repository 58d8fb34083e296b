/// Checks a zip archive of NumPy arrays.
///
/// Arrays may be packed; of a packed one only as much is unpacked as its header needs.
enum NPZInspector: FormatInspector {
  private static let maximumNames = 256

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var names: [String] = []
    var count = 0
    try ZipDirectory.walk(&reader) { reader, entry throws(FormatStop) in
      count += 1
      if names.count < maximumNames { names.append(entry.text) }
      guard entry.hasSuffix(".npy") else {
        return report.warn(
          .unknownField,
          at: entry.data.lowerBound,
          "entry \"\(entry.text)\"",
          expected: "an array",
          found: "another name"
        )
      }
      let start = try start(of: entry, &reader)
      let header = try NumPyHeader(start, at: entry.data.lowerBound)
      if report.types.count < maximumNames { report.types.insert(header.type.name) }
      try header.check(size: entry.size, at: entry.data.lowerBound)
    }
    report.note("arrays", count)
    report.note("names", list: names)
  }

  private static func start(
    of entry: ZipEntry,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> [UInt8] {
    switch entry.method {
    case .stored:
      try reader.seek(to: UInt64(entry.data.lowerBound))
      return try reader.take(min(entry.data.count, NumPyHeader.window))
    case .deflated:
      return try reader.within(entry.data) { reader throws(FormatStop) in
        try Inflation.start(&reader, count: NumPyHeader.window)
      }
    case .other(let number):
      throw .structure(
        .badType,
        at: entry.data.lowerBound,
        "entry \"\(entry.text)\"",
        expected: "no packing, or method 8",
        found: "method \(number)"
      )
    }
  }
}
