package import Manifests
import Signatures
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
    let before = old?.policy ?? TrustPolicy()
    let policy = try change(before)
    guard policy != before else { return }
    set(RepositoryPolicy(version: (old?.version ?? 0) + 1, policy: policy), at: now)
    summary += Self.words(from: before, to: policy)
  }

  /// What changes about who may sign which models, a line for each pattern and each withdrawn key.
  private static func words(from old: TrustPolicy, to new: TrustPolicy) -> [String] {
    let patterns = Set((old.rules + new.rules).map(\.models)).sorted()
    let rules = patterns.compactMap { pattern -> String? in
      let (before, after) = (old.rule(of: pattern), new.rule(of: pattern))
      guard before != after else { return nil }
      var parts = sorted(after, without: before).map { "adds \($0)" }
      parts += sorted(before, without: after).map { "removes \($0)" }
      if let after, after.threshold != before?.threshold ?? 1 {
        parts.append("needs \(after.threshold) signatures")
      }
      if after == nil { parts.append("no rule is left") }
      return "\(pattern.text): " + parts.joined(separator: ", ")
    }
    let withdrawn = new.withdrawnKeys.filter { old.withdrawnKeys[$0.key] != $0.value }
    return rules
      + withdrawn.map { "withdraws the key \($0.key) for good: \($0.value)" }.sorted()
  }

  private static func sorted(_ rule: TrustRule?, without other: TrustRule?) -> [Fingerprint] {
    (rule?.keys ?? []).filter { other?.keys.contains($0) != true }.sorted()
  }
}

extension TrustPolicy {
  fileprivate func rule(of pattern: ModelPattern) -> TrustRule? {
    rules.first { $0.models == pattern }
  }
}
