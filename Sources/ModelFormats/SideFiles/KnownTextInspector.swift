/// Checks a text that some runtime reads: it must be UTF-8.
enum KnownTextInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    try reader.requireUTF8()
  }
}
