package import Manifests
package import Trust

extension RepositoryDraft {
  /// Replaces the trust policy by the one that `change` makes of it, under the next version; the same policy is no change.
  ///
  /// Where the repository lists none, `change` begins with one without rules.
  /// - Throws: ``RepositoryProblem/unsignedPolicy(found:threshold:)`` where the keys of the root have not signed what is
  ///   listed, ``RepositoryProblem/badDocument(_:_:)``, and what `change` throws.
  package mutating func changePolicy(
    at now: Timestamp,
    _ change: (TrustPolicy) throws -> TrustPolicy
  ) throws {
    let old = try base?.signedPolicy
    let policy = try change(old?.policy ?? TrustPolicy())
    guard policy != old?.policy ?? TrustPolicy() else { return }
    set(RepositoryPolicy(version: (old?.version ?? 0) + 1, policy: policy), at: now)
  }
}
