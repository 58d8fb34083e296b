/// Checks a NumPy array file (NEP 1, versions 1.0 to 3.0).
enum NPYInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let header = try NumPyHeader(try reader.take(min(reader.size, NumPyHeader.window)), at: 0)
    report.types.insert(header.type.name)
    try header.check(size: UInt64(reader.size), at: 0)
  }
}
