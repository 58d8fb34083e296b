package import Manifests
package import Trust

/// A listed release that a trust policy refuses.
package struct RefusedRelease: Equatable, Sendable {
  package let model: ModelName
  package let version: Version
  package let why: TrustError
}

extension RepositoryTree {
  /// The releases that are listed and accepted now, and that `policy` would refuse.
  ///
  /// Reads the manifest of every release. What is refused now already, as one that has expired, is not among them.
  /// - Throws: ``RepositoryProblem`` for a manifest that cannot be read, and `SystemError`.
  package func refusals(
    by policy: TrustPolicy,
    in state: RepositoryState,
    at now: Timestamp
  ) throws -> [RefusedRelease] {
    guard let old = try state.signedPolicy?.policy else { return [] }
    var refused: [RefusedRelease] = []
    for (entry, file) in try state.releases {
      try Task.checkCancellation()
      let text = RepositoryPath.manifest(of: entry.model, entry.version)
      guard let path = TargetPath(text) else { continue }
      let bytes = try document(path, file)
      guard (try? old.accept(bytes, at: now)) != nil else { continue }
      do { _ = try policy.accept(bytes, at: now) } catch {
        refused.append(RefusedRelease(model: entry.model, version: entry.version, why: error))
      }
    }
    return refused
  }
}
