import Manifests

/// Checks an ONNX model (`onnx.proto`, as of ONNX 1.22) and derives the oldest onnxruntime that loads it.
enum ONNXInspector: FormatInspector {
  private static let standardDomains: Set<String> = [
    "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training",
  ]

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = ONNXWalk(report)
    defer { report = walk.report }
    try walk.model(&reader)
    try require(walk)
    noteFacts(&walk)
    noteRuntimes(&walk)
  }

  /// Demands what every model has.
  private static func require(_ walk: ONNXWalk) throws(FormatStop) {
    guard let version = walk.irVersion, version >= 3 else {
      let found = walk.irVersion.map { "\($0)" } ?? "none"
      throw .structure(
        .unsupportedVersion,
        at: 0,
        "the IR version",
        expected: "3 or more",
        found: found
      )
    }
    guard walk.nodeCount > 0 else { throw missing("a node of the graph") }
    guard walk.outputCount > 0 else { throw missing("an output of the graph") }
    guard !walk.opsets.isEmpty else { throw missing("an imported set of operators") }
  }

  private static func missing(_ what: String) -> FormatStop {
    .structure(.missingKey, at: 0, "the model", expected: what, found: "none")
  }

  private static func noteFacts(_ walk: inout ONNXWalk) {
    walk.report.version = walk.irVersion.flatMap { Int(exactly: $0) }
    walk.report.note("opsets", counts: walk.opsets.mapValues { Int(clamping: $0) })
    // onnxruntime takes its newest operators of a domain that isn't imported; the format demands the import.
    let imported = walk.defined.union(walk.opsets.keys)
    for domain in walk.called.subtracting(imported).sorted() {
      walk.report.warn(
        .missingKey,
        at: 0,
        "the model",
        expected: "an import of the operators of \(domain)",
        found: "none"
      )
    }
    walk.report.note("nodes", walk.nodeCount)
    walk.report.note("initializers", walk.initializerCount)
    walk.report.note("customDomains", list: customDomains(walk))
    let files = walk.files.sorted { $0.key < $1.key }
    walk.report.note("externalFiles", list: files.map(\.key))
    walk.report.links += files.map { .external(location: $0.key, end: $0.value) }
  }

  /// The domains whose operators neither ONNX nor the model itself defines.
  ///
  /// By the specification a runtime must support what is imported, or reject the model, be it called or not.
  private static func customDomains(_ walk: ONNXWalk) -> [String] {
    walk.called.union(walk.opsets.keys)
      .subtracting(standardDomains).subtracting(walk.defined).sorted()
  }

  private static func noteRuntimes(_ walk: inout ONNXWalk) {
    let ir = Int(clamping: walk.irVersion ?? 0)
    let opset = Int(clamping: walk.opsets["ai.onnx"] ?? 1)
    let ml = walk.opsets["ai.onnx.ml"].map { Int(clamping: $0) }
    noteNewer(&walk.report, "the IR version", ir, newest: ONNXRuntimeReleases.newestIR)
    noteNewer(
      &walk.report,
      "the operator set ai.onnx",
      opset,
      newest: ONNXRuntimeReleases.newestOpset
    )
    noteNewer(
      &walk.report,
      "the operator set ai.onnx.ml",
      ml ?? 1,
      newest: ONNXRuntimeReleases.newestML
    )
    walk.report.unknownToRuntimes += customDomains(walk).map { "operators of \($0)" }
    var versions = "IR version \(ir), opset \(opset)"
    if let ml { versions += ", ai.onnx.ml \(ml)" }
    guard let row = ONNXRuntimeReleases.first(irVersion: ir, opset: opset, ml: ml) else {
      walk.report.unknownToRuntimes.append(versions)
      return
    }
    let because = "\(versions) (\(row.isMeasured ? "measured" : "documented"))"
    walk.report.runtimes = [
      RuntimeRequirement(
        known: RuntimeName(known: "onnxruntime"),
        scheme: .semver,
        minimum: row.release,
        because: [because]
      )
    ]
  }

  private static func noteNewer(
    _ report: inout FormatReport,
    _ subject: String,
    _ version: Int,
    newest: Int
  ) {
    guard version > newest else { return }
    report.leaveUnverified(
      .newerVersion,
      at: 0,
      subject,
      expected: "at most \(newest)",
      found: "\(version)"
    )
  }
}
