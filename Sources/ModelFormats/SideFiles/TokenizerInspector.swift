/// Checks the file from which the tokenizers library makes a tokenizer.
enum TokenizerInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let outline = try JSONOutline(&reader, wanted: ["model", "model.type", "version"])
    guard outline.values["model"] == .object else {
      throw .structure(
        .missingKey,
        at: 0,
        "the tokenizer",
        expected: "its model",
        found: "none"
      )
    }
    report.note("tokenizerModel", text: outline.text("model.type"))
  }
}
