/// What the manifest repeats of a GGUF file.
struct GGUFFacts {
  let kind: GGUFKind
  private let metadata: GGUFMetadata
  private let prologue: GGUFPrologue

  init(_ metadata: GGUFMetadata, _ prologue: GGUFPrologue) {
    self.metadata = metadata
    self.prologue = prologue
    kind = GGUFKind(metadata, tensorCount: prologue.tensorCount)
  }

  /// Notes what the keys say.
  func note(into report: inout FormatReport) {
    let architecture = metadata.text(GGUFKeys.architecture)
    report.architecture = architecture
    report.note("kind", text: kind.rawValue)
    report.note("title", text: metadata.text("general.name"))
    if let license = metadata["general.license"]?.text {
      report.note(license: license)
      report.note("license", text: license)
    }
    report.note("fileType", metadata.integer(GGUFKeys.fileType))
    if let architecture {
      report.note("contextLength", metadata.integer("\(architecture).context_length"))
      report.note("embeddingLength", metadata.integer("\(architecture).embedding_length"))
    }
    report.note("tokenizer", text: metadata.text(GGUFKeys.tokenizer))
    report.note("preTokenizer", text: metadata.text(GGUFKeys.preTokenizer))
    if case .array(_, let count, _) = metadata[GGUFKeys.tokens]?.content {
      report.note("tokenCount", count)
    }
    report.note("projectors", list: GGUFKeys.projectors.compactMap { metadata.text($0) })
    report.note("projectionLength", metadata.integer(GGUFKeys.projectionLength))
    report.note("adapter", text: metadata.text(GGUFKeys.adapter))
    noteShard(into: &report)
  }

  private func noteShard(into report: inout FormatReport) {
    guard let count = metadata.integer(GGUFKeys.shardCount), count > 1 else { return }
    let index = metadata.integer(GGUFKeys.shardIndex) ?? 0
    let tensors = metadata.integer(GGUFKeys.allTensors)
    report.note("shard", index)
    report.note("shardCount", count)
    report.note("shardTensors", tensors)
    report.links.append(
      .shard(
        Shard(index: index, count: count, tensors: tensors, ownTensors: prologue.tensorCount)
      )
    )
  }

  /// Notes what the tensors say.
  func note(_ table: GGUFTensorTable, into report: inout FormatReport) {
    var counts: [String: Int] = [:]
    for (type, count) in table.typeCounts {
      counts[LlamaCppTable.tensorTypes[type]?.name ?? "type \(type)"] = count
    }
    report.types = Set(counts.keys)
    report.note("tensorTypes", counts: counts)
    report.note("parameterCount", table.elementCount)
    report.note("dataOffset", table.dataStart)
  }
}
