/// Checks a JSON file that some runtime reads: it must be JSON to its end.
enum KnownJSONInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let outline = try JSONOutline(&reader, wanted: ["auto_map"])
    report.noteRemoteCode(of: outline)
  }
}

extension FormatReport {
  /// Notes that a file names classes in Python files that come with the model.
  mutating func noteRemoteCode(of outline: JSONOutline) {
    guard let value = outline.values["auto_map"], value != .null else { return }
    runsCode = "its auto_map names Python code to load the model with"
  }
}
