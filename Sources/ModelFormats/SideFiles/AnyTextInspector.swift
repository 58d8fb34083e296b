/// Looks at a text for people; another encoding there is seldom meant, and no fault.
enum AnyTextInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    do throws(FormatStop) {
      try reader.requireUTF8()
    } catch {
      try report.warn(insteadOf: error)
    }
  }
}
