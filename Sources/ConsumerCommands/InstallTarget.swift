import Installing
import Manifests

/// What `install` was asked to install.
enum InstallTarget: Equatable {
  case manifest(ManifestSource)
  case model(ModelReference)

  /// A text with `://` is a URL; one that starts with `/`, `./` or `../`, or ends with `.json`, a file; any other a model.
  init(_ text: String) throws(ManifestError) {
    if text.utf8.containsSequence("://".utf8) {
      self = .manifest(.url(text))
    } else if ["/", "./", "../"].contains(where: { text.utf8.starts(with: $0.utf8) })
      || text.utf8.suffix(5).elementsEqual(".json".utf8)
    {
      self = .manifest(.file(text))
    } else {
      self = .model(try ModelReference(text))
    }
  }
}

extension Collection where Element: Equatable {
  /// Whether the elements of `other` stand somewhere in this collection, next to each other.
  fileprivate func containsSequence(_ other: some Collection<Element>) -> Bool {
    indices.contains { self[$0...].starts(with: other) }
  }
}
