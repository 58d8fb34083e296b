/// Notes that a TensorRT engine is bound to the version that built it, and to the processor.
///
/// The format is not published; nothing in the file is read.
enum TensorRTInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    report.binding = .tensorRT
    report.unknownToRuntimes.append("a TensorRT engine, which only the version that built it loads")
  }
}
