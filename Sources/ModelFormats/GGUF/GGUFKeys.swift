/// The keys of GGUF files that have a meaning here.
enum GGUFKeys {
  static let alignment = "general.alignment"
  static let architecture = "general.architecture"
  static let kind = "general.type"
  static let fileType = "general.file_type"
  static let shardIndex = "split.no"
  static let shardCount = "split.count"
  static let allTensors = "split.tensors.count"
  static let tokenizer = "tokenizer.ggml.model"
  static let preTokenizer = "tokenizer.ggml.pre"
  static let tokens = "tokenizer.ggml.tokens"
  static let scores = "tokenizer.ggml.scores"
  static let tokenTypes = "tokenizer.ggml.token_type"
  static let merges = "tokenizer.ggml.merges"
  static let adapter = "adapter.type"
  static let projectors = [
    "clip.projector_type", "clip.vision.projector_type", "clip.audio.projector_type",
  ]
  static let projectionLength = "clip.vision.projection_dim"

  private static let kept = Set<String>([
    alignment, architecture, kind, fileType, "general.name", "general.license",
    "general.quantization_version", shardIndex, shardCount, allTensors, tokenizer, preTokenizer,
    tokens, scores, tokenTypes, merges, adapter, projectionLength,
  ]).union(projectors)

  /// Keys that begin with the name of an architecture, which may stand behind them.
  private static let keptEndings = [".context_length", ".embedding_length", ".vocab_size"]

  static func isKept(_ key: String) -> Bool {
    kept.contains(key) || isTokenNumber(key)
      || keptEndings.contains { key.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Whether the value is the number of a special token.
  static func isTokenNumber(_ key: String) -> Bool {
    key.utf8.starts(with: "tokenizer.ggml.".utf8)
      && key.utf8.suffix(9).elementsEqual("_token_id".utf8)
  }
}
