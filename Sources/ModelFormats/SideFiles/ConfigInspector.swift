/// Checks the description of a model for transformers and its relatives.
enum ConfigInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let outline = try JSONOutline(
      &reader,
      wanted: [
        "auto_map", "model_type", "transformers_version", "quantization.bits",
        "quantization.group_size", "quantization.mode",
      ]
    )
    report.noteRemoteCode(of: outline)
    report.note("modelType", text: outline.text("model_type"))
    report.note("transformersVersion", text: outline.text("transformers_version"))
    report.note("quantizationBits", outline.integer("quantization.bits"))
    report.note("quantizationGroupSize", outline.integer("quantization.group_size"))
    report.note("quantizationMode", text: outline.text("quantization.mode"))
    // Other programs write what they do to the weights under other names.
    let isMLX =
      outline.integer("quantization.group_size") != nil
      && outline.integer("quantization.bits") != nil
    if isMLX { report.noteMLX() }
  }
}

extension FormatReport {
  /// Notes that the file is of a model for MLX, of which nothing tells from which release on it can be loaded.
  mutating func noteMLX() {
    unknownToRuntimes.append("an MLX model, whose files tell no version")
  }
}
