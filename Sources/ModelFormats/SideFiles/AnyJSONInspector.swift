/// Looks at any other JSON file; what is no JSON there is seldom meant, and no fault.
enum AnyJSONInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    do throws(FormatStop) {
      _ = try JSONOutline(&reader, wanted: [])
    } catch {
      try report.warn(insteadOf: error)
    }
  }
}
