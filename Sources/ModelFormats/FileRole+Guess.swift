import Manifests

extension FileRole {
  /// Guesses what a file is for, from the conventions of names and from what its header says.
  init(guessedFrom path: RelativePath, _ format: ModelFormat, _ facts: FormatFacts) {
    let name = String(decoding: path.fileName.utf8.map(lowercase), as: UTF8.self)
    self =
      Self.byName(name) ?? Self.inPackage(path, name) ?? Self.byContent(name, format, facts)
      ?? Self.byExtension(path.fileExtension)
  }

  private static func byName(_ name: String) -> FileRole? {
    switch name {
    case "tokenizer.json", "tokenizer.model", "tokenizer_config.json", "special_tokens_map.json",
      "added_tokens.json", "spiece.model", "sentencepiece.bpe.model":
      return .tokenizer
    case "vocab.json", "vocab.txt", "merges.txt", "vocab.bpe":
      return .vocab
    case "chat_template.json":
      return .chatTemplate
    default: break
    }
    if hasSuffix(name, ".index.json") { return .index }
    if hasSuffix(name, "config.json") { return .config }
    let words = name.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
    switch String(decoding: Array(words), as: UTF8.self) {
    case "license", "licence", "copying", "notice": return .license
    case "readme", "model_card", "modelcard": return .card
    default: return nil
    }
  }

  private static func inPackage(_ path: RelativePath, _ name: String) -> FileRole? {
    guard ModelBundle(around: path) != nil else { return nil }
    switch name {
    case "manifest.json", "metadata.json": return .index
    case _ where [".bin", ".mlmodel", ".mlirb", ".mil"].contains { hasSuffix(name, $0) }:
      return .weights
    default: return .other
    }
  }

  private static func byContent(
    _ name: String,
    _ format: ModelFormat,
    _ facts: FormatFacts
  ) -> FileRole? {
    switch format {
    case .gguf:
      let kind = facts.more["kind"]
      if facts.architecture == "clip" || kind == .text("mmproj") { return .projector }
      switch kind {
      case .text("adapter"): return .adapter
      case .text("vocabulary"): return .vocab
      case .text("imatrix"): return .other
      default: return .weights
      }
    case .safetensors:
      return name.utf8.starts(with: "adapter_".utf8) ? .adapter : .weights
    case .onnx, .tflite, .litertlm, .mlmodel, .pytorchZip, .pickle, .pt2, .pte, .ptd, .ggmlLegacy,
      .openvinoIR,
      .npz, .tensorrt:
      return .weights
    case .mlpackage, .mlmodelc, .aimodel, .aimodelc, .safetensorsIndex, .npy, .zip, .other:
      return nil
    }
  }

  private static func byExtension(_ suffix: String?) -> FileRole {
    switch suffix {
    case "jinja", "jinja2", "j2": .chatTemplate
    case "json", "yaml", "yml", "toml": .config
    case "md": .card
    case "gguf", "safetensors", "onnx", "tflite", "mlmodel", "pt", "pth", "ckpt", "bin",
      "onnx_data", "data", "weights":
      .weights
    default: .other
    }
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

private func hasSuffix(_ name: String, _ suffix: String) -> Bool {
  name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
}
