import Transfers

/// Where one mirror of a repository has its files.
///
/// The URLs are `https`, `http` or `file` and may hold percent escapes. Names are appended as text: nothing in them is
/// resolved, and nothing is encoded again. So a base with a query or a fragment serves no files.
package struct RepositoryMirror: Hashable, Sendable {
  /// What the names of metadata files are appended to; ends in a slash.
  package let metadata: String
  /// What the paths of targets are appended to; ends in a slash.
  package let targets: String

  /// The two bases, with or without a slash at the end.
  package init(metadata: String, targets: String) {
    self.metadata = withSlash(metadata)
    self.targets = withSlash(targets)
  }

  /// A tree with `metadata/` and `targets/`.
  package init(_ base: String) {
    let base = withSlash(base)
    self.init(metadata: "\(base)metadata/", targets: "\(base)targets/")
  }

  /// What to call the mirror in messages: its metadata without what is secret in a URL.
  package var name: String { redact(metadata) }
}

private func withSlash(_ text: String) -> String {
  text.utf8.last == UInt8(ascii: "/") ? text : text + "/"
}
