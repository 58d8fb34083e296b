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
    report.runtimes = CoreAIReleases.requirements(because: "Core AI asset version \(version)")
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
