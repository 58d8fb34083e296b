import Installing

/// What `install` was asked to install.
enum InstallTarget: Equatable {
  case manifest(ManifestSource)
  case model(ModelDemand)

  /// A text with `://` is a URL; one that starts with `/`, `./` or `../`, or ends with `.json`, a file; any other a model.
  init(_ text: String) throws {
    switch try ManifestSource(argument: text) {
    case .file
    where !text.utf8.starts(with: "/".utf8) && !text.utf8.starts(with: "./".utf8)
      && !text.utf8.starts(with: "../".utf8) && !text.utf8.suffix(5).elementsEqual(".json".utf8):
      self = .model(try ModelDemand(text))
    case let source: self = .manifest(source)
    }
  }
}
