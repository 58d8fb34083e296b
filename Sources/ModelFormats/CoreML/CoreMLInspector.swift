import Manifests

/// Checks a Core ML model specification (`Model.proto`) and derives the systems that load it.
enum CoreMLInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = CoreMLWalk(report)
    defer { report = walk.report }
    try walk.model(&reader)
    let version = Int(clamping: walk.version)
    walk.report.version = version
    guard version >= 1 else {
      throw .structure(
        .unsupportedVersion,
        at: 0,
        "the specification version",
        expected: "1 or more",
        found: "\(version)"
      )
    }
    noteFacts(&walk)
    if version > CoreMLReleases.newest {
      walk.report.leaveUnverified(
        .newerVersion,
        at: 0,
        "the specification version",
        expected: "at most \(CoreMLReleases.newest)",
        found: "\(version)"
      )
    }
    noteRuntimes(&walk, version)
  }

  private static func noteFacts(_ walk: inout CoreMLWalk) {
    walk.report.note("type", text: walk.type)
    walk.report.note("opsets", list: walk.opsets.sorted())
    if walk.isUpdatable { walk.report.note("updatable", text: "yes") }
    let files = walk.files.sorted { $0.key < $1.key }
    walk.report.note("externalFiles", list: files.map(\.key))
    walk.report.note("blobs", files.isEmpty ? nil : files.reduce(0) { $0 + $1.value.count })
    walk.report.links += files.map { .blobs(location: $0.key, offsets: $0.value.sorted()) }
  }

  private static func noteRuntimes(_ walk: inout CoreMLWalk, _ version: Int) {
    let opsets = walk.opsets.compactMap(CoreMLReleases.specification)
    let needed = max(version, opsets.max() ?? 0)
    walk.report.unknownToRuntimes += walk.opsets.sorted()
      .filter { CoreMLReleases.specification(ofOpset: $0) == nil }.map { "operators of \($0)" }
    guard let row = CoreMLReleases.row(needed) else {
      walk.report.unknownToRuntimes.append("Core ML specification \(needed)")
      return
    }
    var because: [String] = []
    if needed == version { because.append("Core ML specification \(version)") }
    because += walk.opsets.sorted().filter { CoreMLReleases.specification(ofOpset: $0) == needed }
      .map { "operators of \($0)" }
    let systems = [
      (RuntimeName(known: "ios"), row.iOS), (RuntimeName(known: "macos"), row.macOS),
    ]
    walk.report.runtimes += systems.map { name, minimum in
      RuntimeRequirement(known: name, scheme: .dotted, minimum: minimum, because: because)
    }
  }
}
