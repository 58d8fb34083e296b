import Manifests

/// Compares adapters and projectors with the one model that they come with.
enum GGUFCompanions: ReleaseInspector {
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

  /// Each `X.lora_a` and `X.lora_b` belong together, and need a tensor `X` in the model.
  private static func check(
    adapter: FileInspection,
    _ models: [FileInspection],
    _ files: ReleaseFiles,
    into findings: inout ReleaseInspection
  ) throws(FormatStop) {
    let pairs = try files.read(adapter.path) { reader throws(FormatStop) in
      try AdapterPairs(&reader)
    }
    if let half = pairs.firstHalf {
      let subject = "tensor \"\(String(decoding: half, as: UTF8.self))\""
      throw stop(subject, "both halves of its change, .lora_a and .lora_b", "one of them")
    }
    guard let model = models.first else {
      findings.warn(adapter.path, fault("the adapter", "its model in the release", "none"))
      return
    }
    if let own = adapter.report.architecture, let architecture = model.report.architecture,
      own != architecture
    {
      throw stop("the architecture", "\(architecture), as \(model.path) has", own)
    }
    var known: [Int: [UInt64]] = [:]
    for model in models {
      try files.read(model.path) { reader throws(FormatStop) in
        try GGUFTensorNames.walk(&reader) { tensor in
          if pairs[tensor.name] != nil { known[tensor.name.hashValue] = tensor.dimensions }
        }
      }
    }
    try check(pairs, of: adapter.path, known, &findings)
  }

  /// Compares the pairs with the shapes of the tensors that they change, by the hashes of the names.
  private static func check(
    _ pairs: AdapterPairs,
    of path: RelativePath,
    _ known: [Int: [UInt64]],
    _ findings: inout ReleaseInspection
  ) throws(FormatStop) {
    var misfit: [UInt8]?
    for name in pairs.names {
      guard let dimensions = known[name.hashValue] else {
        let subject = "tensor \"\(String(decoding: name, as: UTF8.self)).lora_a\""
        throw stop(subject, "a tensor of this name in the model", "none")
      }
      let isEmbedding = name.elementsEqual("token_embd.weight".utf8)
      if let pair = pairs[name], !pair.fits(dimensions, isEmbedding: isEmbedding) {
        misfit = misfit ?? name
      }
    }
    guard let misfit else { return }
    let subject = "tensor \"\(String(decoding: misfit, as: UTF8.self)).lora_a\""
    findings.warn(path, fault(subject, "a pair that fits its tensor in the model", "another shape"))
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

  private static func stop(_ subject: String, _ expected: String, _ found: String) -> FormatStop {
    .fault(.structure(fault(subject, expected, found)))
  }

  private static func fault(
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> StructureFault {
    StructureFault(.roleMismatch, at: 0, subject, expected: expected, found: found)
  }
}
