package import Manifests

/// Where a repository lies: an `https`, `http` or `file` URL without credentials, query or fragment.
package struct RepositoryURL: Hashable, Sendable {
  /// The URL without a slash at its end.
  package let text: String
  /// The mirror that every repository is: its own `blobs/`.
  package let blobs: MirrorTemplate

  /// Reads a URL; throws the rule that it breaks, which is that of a mirror template.
  package init(_ text: String) throws(ManifestError) {
    var bytes = Array(text.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard !bytes.contains(where: { "?{}".utf8.contains($0) }) else {
      throw .text(TextProblem(.repositoryURL, text, .badForm(expected: "a URL without ?, { and }")))
    }
    self.text = String(decoding: bytes, as: UTF8.self)
    do {
      blobs = try MirrorTemplate(self.text + "/blobs/sha256/{sha256}")
    } catch {
      // Nobody has typed the template.
      guard case .text(let problem) = error else { throw error }
      throw .text(TextProblem(.repositoryURL, text, problem.fault))
    }
  }
}

extension RepositoryURL: CustomStringConvertible {
  package var description: String { text }
}
