import Manifests
import Signatures

extension TrustPolicy {
  /// Returns the signers that `rule` counts, if they reach its threshold.
  ///
  /// Distinct public keys count, each once, however often and under whatever names it signed; a key counts if the
  /// rule names it and nothing stands against it. Throws `tooFewSigners`.
  func countedSigners(
    _ signers: Set<Fingerprint>,
    for rule: TrustRule,
    at time: Timestamp
  ) throws(TrustError) -> [TrustedKey] {
    var counted: [TrustedKey] = []
    var ignored: [IgnoredSigner] = []
    for key in signers.sorted().compactMap({ keys[$0] }) {
      if let reason = objection(to: key, in: rule, at: time) {
        ignored.append(IgnoredSigner(key: key, reason: reason))
      } else {
        counted.append(key)
      }
    }
    guard counted.count >= rule.threshold else {
      throw .tooFewSigners(rule: rule, counted: counted.map(\.fingerprint), ignored: ignored)
    }
    return counted
  }

  /// Says why a signature of `key` does not count for the models of `rule`; nil where it does.
  func objection(
    to key: TrustedKey,
    in rule: TrustRule,
    at time: Timestamp
  ) -> IgnoredSigner.Reason? {
    objection(to: key, at: time) ?? (rule.keys.contains(key.fingerprint) ? nil : .notInRule)
  }
}
