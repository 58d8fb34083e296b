import Manifests

/// What the name of a file beside the weights says about how it is read.
enum SideFile {
  /// The check for a file whose content is of no model format; nil where nothing more is known.
  static func inspector(for path: RelativePath) -> (any FormatInspector.Type)? {
    let name = path.fileName
    if let bundle = ModelBundle(around: path) { return inspector(in: bundle, path) }
    switch name {
    case "tokenizer.json": return TokenizerInspector.self
    case "config.json": return ConfigInspector.self
    case "tokenizer_config.json", "generation_config.json", "preprocessor_config.json",
      "special_tokens_map.json", "added_tokens.json", "vocab.json", "chat_template.json",
      "processor_config.json", "adapter_config.json":
      return KnownJSONInspector.self
    case "merges.txt", "vocab.txt", "vocab.bpe": return KnownTextInspector.self
    default: break
    }
    switch path.fileExtension {
    case "json": return AnyJSONInspector.self
    case "jinja", "jinja2", "j2": return TemplateInspector.self
    case "py": return PythonInspector.self
    case "txt", "md": return AnyTextInspector.self
    case nil where FileRole.isLicenseOrCard(name): return AnyTextInspector.self
    default: return nil
    }
  }

  private static func inspector(
    in bundle: ModelBundle,
    _ path: RelativePath
  ) -> (any FormatInspector.Type)? {
    switch (bundle.kind, bundle.path(of: path)) {
    case (.aimodel, "metadata.json"): AIModelInspector.self
    case (.aimodel, "main.mlirb"): MLIRInspector.self
    default: path.fileExtension == "json" ? KnownJSONInspector.self : nil
    }
  }
}

extension FileRole {
  /// Whether a file of this name is a licence or a description, by convention.
  fileprivate static func isLicenseOrCard(_ name: String) -> Bool {
    let word = name.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
      .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return ["license", "licence", "copying", "notice", "readme"]
      .contains(String(decoding: word, as: UTF8.self))
  }
}
