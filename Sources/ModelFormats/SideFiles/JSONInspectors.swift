/// Checks a JSON file that some runtime reads: it must be JSON to its end.
enum KnownJSONInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let outline = try JSONOutline(&reader, wanted: ["auto_map"])
    noteRemoteCode(outline, into: &report)
  }
}

/// Looks at any other JSON file; what is no JSON there is seldom meant, and no fault.
enum AnyJSONInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    do throws(FormatStop) {
      _ = try JSONOutline(&reader, wanted: [])
    } catch {
      guard case .fault(.structure(let fault)) = error else { throw error }
      report.warn(
        fault.code,
        at: fault.offset,
        fault.subject,
        expected: fault.expected,
        found: fault.found
      )
    }
  }
}

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
    noteRemoteCode(outline, into: &report)
    report.note("modelType", text: outline.text("model_type"))
    report.note("transformersVersion", text: outline.text("transformers_version"))
    report.note("quantizationBits", outline.integer("quantization.bits"))
    report.note("quantizationGroupSize", outline.integer("quantization.group_size"))
    report.note("quantizationMode", text: outline.text("quantization.mode"))
  }
}

/// Notes that a file names classes in Python files that come with the model.
private func noteRemoteCode(_ outline: JSONOutline, into report: inout FormatReport) {
  guard let value = outline.values["auto_map"], value != .null else { return }
  report.runsCode = "its auto_map names Python code to load the model with"
}

/// Checks the description of a Core AI model, which needs the systems that brought Core AI.
enum AIModelInspector: FormatInspector {
  private static let newestVersion = "2.0"

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let outline = try JSONOutline(
      &reader,
      wanted: ["assetVersion", "producer", "license", "author", "description"]
    )
    guard let version = outline.text("assetVersion") else {
      throw .structure(
        .missingKey,
        at: 0,
        "the description of the model",
        expected: "assetVersion",
        found: "none"
      )
    }
    report.note("assetVersion", text: version)
    report.note("producer", text: outline.text("producer"))
    report.note("author", text: outline.text("author"))
    let license = outline.text("license") ?? ""
    if license.isEmpty {
      report.warn(
        .missingKey,
        at: 0,
        "the description of the model",
        expected: "a licence",
        found: "none"
      )
    } else {
      report.note(license: Array(license.utf8))
    }
    report.runtimes = CoreAIReleases.requirements(assetVersion: version)
    if version != newestVersion {
      report.leaveUnverified(
        .newerVersion,
        at: 0,
        "assetVersion",
        expected: newestVersion,
        found: version
      )
    }
  }
}
