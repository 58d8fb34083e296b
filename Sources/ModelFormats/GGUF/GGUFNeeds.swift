import Manifests

/// Derives from a GGUF file which build of llama.cpp can load it.
///
/// The minimum is the highest of what version, architecture, tensor types, tokenizer, projector, shards
/// and adapters each need; the reasons are all that need as much. It is a lower bound.
struct GGUFNeeds {
  private struct Need {
    let reason: String
    let builds: BuildRange
  }

  /// Tokenizers for which runtimes ask for the rule by which text is cut before.
  private static let withPreTokenizer = ["gpt2", "hybriddna", "whitespace"]

  private let metadata: GGUFMetadata
  private var needs: [Need] = []
  private var unknown: [String] = []
  private let isLoadable: Bool

  init(
    _ prologue: GGUFPrologue,
    _ metadata: GGUFMetadata,
    _ table: GGUFTensorTable,
    _ kind: GGUFKind
  ) {
    self.metadata = metadata
    // A matrix of importances is read by the quantizer alone.
    isLoadable = kind != .imatrix
    add("GGUF version \(prologue.version)", LlamaCppTable.versions[prologue.version])
    if let architecture = metadata.name(GGUFKeys.architecture), architecture != "clip" {
      add("architecture \(architecture)", LlamaCppTable.architectures[architecture])
    }
    for type in table.typeCounts.keys.sorted() {
      let known = LlamaCppTable.tensorTypes[type]
      add("tensor type \(known?.name ?? String(type))", known?.builds)
    }
    addTokenizer()
    for key in GGUFKeys.projectors {
      guard let projector = metadata.name(key) else { continue }
      add("projector \(projector)", LlamaCppTable.projectors[projector])
    }
    if (metadata.integer(GGUFKeys.shardCount) ?? 0) > 1 { add("split files", LlamaCppTable.split) }
    if kind == .adapter { add("LoRA adapter", LlamaCppTable.adapter) }
  }

  private mutating func addTokenizer() {
    guard let tokenizer = metadata.name(GGUFKeys.tokenizer), tokenizer != "no_vocab" else { return }
    add("tokenizer \(tokenizer)", LlamaCppTable.tokenizers[tokenizer])
    guard Self.withPreTokenizer.contains(tokenizer),
      let rule = metadata.name(GGUFKeys.preTokenizer)
    else { return }
    add("pre-tokenizer \(rule)", LlamaCppTable.preTokenizers[rule])
  }

  private mutating func add(_ reason: String, _ builds: BuildRange?) {
    guard let builds else {
      unknown.append(reason)
      return
    }
    let end = builds.below.map { " until b\($0)" } ?? ""
    needs.append(Need(reason: "\(reason) b\(builds.first)\(end)", builds: builds))
  }
}

extension GGUFNeeds {
  private static let runtime = RuntimeName(known: "llama.cpp")

  /// Adds what is known to be needed, and the names that no build is known for.
  func derive(into report: inout FormatReport) {
    guard isLoadable else { return }
    warnOfMissingRule(into: &report)
    report.unknownToRuntimes = unknown
    let minimum = needs.map(\.builds.first).max() ?? 0
    let below = needs.compactMap(\.builds.below).min()
    let reasons = needs.filter {
      $0.builds.first == minimum || ($0.builds.below != nil && $0.builds.below == below)
    }
    if let below, below <= minimum {
      // No build has all that the file needs: one was dropped before another came.
      report.unknownToRuntimes += reasons.map(\.reason)
      return
    }
    report.runtimes = [
      RuntimeRequirement(
        known: Self.runtime,
        scheme: .build,
        minimum: "b\(minimum)",
        below: below.map { "b\($0)" },
        because: reasons.map(\.reason)
      )
    ]
  }

  private func warnOfMissingRule(into report: inout FormatReport) {
    guard let tokenizer = metadata[GGUFKeys.tokenizer],
      let name = metadata.text(GGUFKeys.tokenizer), Self.withPreTokenizer.contains(name),
      metadata[GGUFKeys.preTokenizer] == nil
    else { return }
    report.warn(
      .missingKey,
      at: tokenizer.offset,
      "the tokenizer \"\(name)\"",
      expected: "the key \(GGUFKeys.preTokenizer), without which text is cut by a default",
      found: "none"
    )
  }
}
