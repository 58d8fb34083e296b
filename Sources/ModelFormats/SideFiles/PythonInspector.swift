/// Notes that a Python file is code that comes with the model.
enum PythonInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    report.runsCode = "it is Python code"
  }
}
