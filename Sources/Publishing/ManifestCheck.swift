package import Manifests
package import Trust

/// Checks a manifest against keys that a person names, with the rules by which clients trust one.
package struct ManifestCheck: Sendable {
  private let policy: TrustPolicy

  /// Takes the keys that may sign, whatever the model.
  ///
  /// - Throws: `TrustError`: `repeatedKey` for the same key twice, under whatever name, and `badThreshold` for a
  ///   threshold that is not between 1 and the count of keys.
  package init(keys: [TrustedKey], threshold: Int) throws(TrustError) {
    // Before the threshold is compared, since a key that is given twice is the mistake to tell of.
    _ = try TrustPolicy(keys: keys, rules: [])
    let rules = try ["*", "*/*"].map { pattern throws(TrustError) in
      try TrustRule(
        models: try ModelPattern(pattern),
        keys: keys.map(\.fingerprint),
        threshold: threshold
      )
    }
    policy = try TrustPolicy(keys: keys, rules: rules)
  }

  /// Returns the release if enough of the keys signed it, or throws why it is not accepted.
  package func accept(_ bytes: [UInt8], at now: Timestamp) throws(TrustError) -> AcceptedManifest {
    try policy.accept(bytes, at: now)
  }
}
