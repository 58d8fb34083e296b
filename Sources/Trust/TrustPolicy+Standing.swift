package import Manifests
import Signatures

/// A key of the policy whose good signature does not count, and why.
package struct IgnoredSigner: Hashable, Sendable {
  /// What stands against a signature.
  package enum Reason: Hashable, Sendable {
    /// The rule that decides about the model does not name the key.
    case notInRule
    case withdrawn(String)
    /// The key signs exports and no manifest.
    case exportOnly
    case ended(Timestamp)
  }

  package let key: TrustedKey
  package let reason: Reason

  package init(key: TrustedKey, reason: Reason) {
    self.key = key
    self.reason = reason
  }
}

extension TrustedKey {
  /// Whether the end of the key has passed: it counts up to that second.
  package func hasEnded(at time: Timestamp) -> Bool { notAfter.map { $0 < time } ?? false }
}

extension TrustPolicy {
  /// Says why the signatures of a key of the policy count on no manifest; nil while they do.
  ///
  /// A withdrawn key never counts, whenever it signed and whatever else is said of it. An export-only key never
  /// counts. A key with an end counts up to that second. The time is now at an install, and the recorded time of first
  /// acceptance where an installed release is judged again; never one that a manifest states.
  package func objection(to key: TrustedKey, at time: Timestamp) -> IgnoredSigner.Reason? {
    if let reason = withdrawnKeys[key.fingerprint] { return .withdrawn(reason) }
    if key.isExportOnly { return .exportOnly }
    guard let end = key.notAfter, key.hasEnded(at: time) else { return nil }
    return .ended(end)
  }

  /// The keys of `rule` whose signatures count at this time, in the order of their fingerprints.
  ///
  /// With fewer of them than its threshold, the rule accepts nothing.
  package func countingKeys(of rule: TrustRule, at time: Timestamp) -> [TrustedKey] {
    rule.keys.compactMap { keys[$0] }.filter { objection(to: $0, at: time) == nil }
  }
}
