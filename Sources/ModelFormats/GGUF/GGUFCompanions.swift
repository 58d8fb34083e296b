import Manifests

/// Compares adapters and projectors with the one model that they come with.
enum GGUFCompanions: ReleaseInspector {
  /// Pairs beyond these are not compared.
  private static let maximumPairs = 65_536

  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    let sound = files.inspections.filter { $0.kind == .gguf && $0.problem == nil }
    let models = sound.filter { $0.report.more["kind"] == .text(GGUFKind.model.rawValue) }
    for file in sound {
      switch file.report.more["kind"] {
      case .text(GGUFKind.adapter.rawValue):
        findings.refusing(file.path) { findings throws(FormatStop) in
          try check(adapter: file, models, files, into: &findings)
        }
      case .text(GGUFKind.projector.rawValue): check(projector: file, models, into: &findings)
      default: break
      }
    }
  }

  /// Each `X.lora_a` and `X.lora_b` needs a tensor `X` in the model.
  private static func check(
    adapter: FileInspection,
    _ models: [FileInspection],
    _ files: ReleaseFiles,
    into findings: inout ReleaseInspection
  ) throws(FormatStop) {
    guard !models.isEmpty else {
      findings.warn(adapter.path, fault("the adapter", "its model in the release", "none"))
      return
    }
    if let model = models.first, let own = adapter.report.architecture,
      let architecture = model.report.architecture, own != architecture
    {
      findings.refuse(
        adapter.path,
        .structure(fault("the architecture", "\(architecture), as \(model.path) has", own))
      )
      return
    }
    var wanted: [[UInt8]] = []
    try files.read(adapter.path) { reader throws(FormatStop) in
      try GGUFTensorNames.walk(&reader) { tensor in
        guard wanted.count < maximumPairs else { return }
        if let name = target(of: tensor.name) { wanted.append(name) }
      }
    }
    var known = Set<Int>()
    for model in models {
      known.formUnion(
        try files.read(model.path) { reader throws(FormatStop) in
          try GGUFTensorNames.hashes(&reader)
        }
      )
    }
    guard let missing = wanted.first(where: { !known.contains($0.hashValue) }) else { return }
    findings.refuse(
      adapter.path,
      .structure(
        fault(
          "tensor \"\(String(decoding: missing, as: UTF8.self)).lora_a\"",
          "a tensor of this name in the model",
          "none"
        )
      )
    )
  }

  private static func target(of name: [UInt8]) -> [UInt8]? {
    for ending in [".lora_a", ".lora_b"] where name.suffix(7).elementsEqual(ending.utf8) {
      return Array(name.dropLast(7))
    }
    return nil
  }

  private static func check(
    projector: FileInspection,
    _ models: [FileInspection],
    into findings: inout ReleaseInspection
  ) {
    guard let model = models.first, let own = projector.report.more["projectionLength"],
      let length = model.report.more["embeddingLength"], own != length
    else { return }
    findings.warn(
      projector.path,
      fault("the projection", "\(length.words) numbers, as \(model.path) has", own.words)
    )
  }

  private static func fault(
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> StructureFault {
    StructureFault(.roleMismatch, at: 0, subject, expected: expected, found: found)
  }
}
