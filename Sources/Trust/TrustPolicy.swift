package import Manifests
package import Signatures
package import Digests

/// Which keys may sign which models, how many of them must, and which keys and manifests are withdrawn.
///
/// A value without file or clock. ``accept(_:at:)`` is the one way to a manifest that is trusted.
package struct TrustPolicy: Hashable, Sendable {
  /// The keys by their fingerprints.
  package private(set) var keys: [Fingerprint: TrustedKey]
  /// The rules, with each pattern at most once, from the most to the least specific.
  package private(set) var rules: [TrustRule]
  /// The keys that count no longer, with the reason.
  package internal(set) var withdrawnKeys: [Fingerprint: String]
  /// The manifests that are refused whoever signed them, by the digest of their payload, with the reason.
  package internal(set) var withdrawnManifests: [SHA256Digest: String]

  /// The models about which repositories decide, and this policy only by what it withdraws.
  ///
  /// They are no part of the policy's document: a client's list of repositories says which there are.
  package internal(set) var reservations: [Reservation] = []

  /// The policy that accepts nothing.
  package init() { (keys, rules, withdrawnKeys, withdrawnManifests) = ([:], [], [:], [:]) }

  /// Puts a policy together from its parts.
  ///
  /// Throws `repeatedPattern`, `unknownKey`, `repeatedKey` or `exportKeyInRule` for a set of parts that contradicts
  /// itself.
  package init(
    keys: [TrustedKey],
    rules: [TrustRule],
    withdrawnKeys: [Fingerprint: String] = [:],
    withdrawnManifests: [SHA256Digest: String] = [:]
  ) throws(TrustError) {
    self.init()
    for key in keys {
      guard self.keys.updateValue(key, forKey: key.fingerprint) == nil else {
        throw .repeatedKey(key.fingerprint)
      }
    }
    for rule in rules {
      for fingerprint in rule.keys {
        guard let key = self.keys[fingerprint] else { throw .unknownKey(fingerprint, rule.models) }
        guard !key.isExportOnly else { throw .exportKeyInRule(fingerprint, rule.models) }
      }
      guard !self.rules.contains(where: { $0.models == rule.models }) else {
        throw .repeatedPattern(rule.models)
      }
      self.rules.append(rule)
    }
    self.rules.sort { $0.models > $1.models }
    self.withdrawnKeys = withdrawnKeys
    self.withdrawnManifests = withdrawnManifests
  }

  /// The most specific rule whose pattern matches; it alone applies.
  package func rule(for model: ModelName) -> TrustRule? {
    rules.first { $0.models.matches(model) }
  }
}

/// A public key that rules may name, or one that is known to sign exports only.
package struct TrustedKey: Hashable, Sendable {
  package let publicKey: PublicKey
  /// A name for people; it decides nothing.
  package let name: String
  /// After this time the key's signatures are accepted on nothing that was not accepted before.
  package let notAfter: Timestamp?
  /// Whether the key signs exports such as `SHA256SUMS` and never a manifest.
  ///
  /// Tools that check exports sign bare file bytes, so a key of theirs must vouch for nothing else.
  package let isExportOnly: Bool

  package init(
    publicKey: PublicKey,
    name: String,
    notAfter: Timestamp? = nil,
    isExportOnly: Bool = false
  ) {
    self.publicKey = publicKey
    self.name = name
    self.notAfter = notAfter
    self.isExportOnly = isExportOnly
  }

  package var fingerprint: Fingerprint { publicKey.fingerprint }
}

/// Which keys may sign the models of one pattern, and how many of them must.
package struct TrustRule: Hashable, Sendable {
  package let models: ModelPattern
  /// The keys whose signatures count, in the order of their fingerprints.
  package let keys: [Fingerprint]
  /// The number of distinct keys that must have signed.
  package let threshold: Int

  /// Throws `badThreshold` unless the threshold is between 1 and the count of keys, which differ.
  package init(
    models: ModelPattern,
    keys: some Sequence<Fingerprint>,
    threshold: Int
  ) throws(TrustError) {
    let distinct = Set(keys)
    guard threshold >= 1, threshold <= distinct.count else {
      throw .badThreshold(threshold, keys: distinct.count)
    }
    self.models = models
    self.keys = distinct.sorted()
    self.threshold = threshold
  }
}
