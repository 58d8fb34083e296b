import Manifests
package import Signatures

extension TrustPolicy {
  /// The policy with a rule that `keys` may sign `models`, in place of any rule for the same pattern.
  ///
  /// A key that is there already gets the new name, and keeps its end unless the new one has an end too.
  /// Throws `withdrawnKey`, `exportKeyInRule` for a key that is known as export-only, or `badThreshold`.
  package func adding(
    _ newKeys: [TrustedKey],
    for models: ModelPattern,
    threshold: Int
  ) throws(TrustError) -> TrustPolicy {
    try requireUnwithdrawn(newKeys)
    for key in newKeys where keys[key.fingerprint]?.isExportOnly == true || key.isExportOnly {
      throw .exportKeyInRule(key.fingerprint, models)
    }
    let rule = try TrustRule(
      models: models,
      keys: newKeys.map(\.fingerprint),
      threshold: threshold
    )
    return try rebuilt(
      keys: renewed(newKeys, isExportOnly: false),
      rules: rules.filter { $0.models != models } + [rule]
    )
  }

  /// The policy that knows `newKeys` as export-only: what they sign is no manifest, and no rule may name them.
  ///
  /// A key that is there already gets the new name, and keeps its end unless the new one has an end too.
  /// Throws `withdrawnKey`, or `exportKeyInRule` for a key that a rule names now.
  package func adding(exportOnly newKeys: [TrustedKey]) throws(TrustError) -> TrustPolicy {
    try requireUnwithdrawn(newKeys)
    return try rebuilt(keys: renewed(newKeys, isExportOnly: true), rules: rules)
  }

  /// The keys with `newKeys` among them; those that were there keep their end where the new one has none.
  private func renewed(
    _ newKeys: [TrustedKey],
    isExportOnly: Bool
  ) -> [Fingerprint: TrustedKey] {
    newKeys.reduce(into: keys) { all, new in
      all[new.fingerprint] = TrustedKey(
        publicKey: new.publicKey,
        name: new.name,
        notAfter: new.notAfter ?? all[new.fingerprint]?.notAfter,
        isExportOnly: isExportOnly
      )
    }
  }

  private func requireUnwithdrawn(_ newKeys: [TrustedKey]) throws(TrustError) {
    for key in newKeys {
      guard let reason = withdrawnKeys[key.fingerprint] else { continue }
      throw .withdrawnKey(key.fingerprint, reason: reason)
    }
  }

  /// The policy in which these keys have no end any more, as far as it knows them.
  package func clearingEnds(of fingerprints: [Fingerprint]) throws(TrustError) -> TrustPolicy {
    var keys = keys
    for key in fingerprints.compactMap({ keys[$0] }) {
      keys[key.fingerprint] = TrustedKey(
        publicKey: key.publicKey,
        name: key.name,
        isExportOnly: key.isExportOnly
      )
    }
    return try rebuilt(keys: keys, rules: rules)
  }

  /// The policy without the rule for `models`, and without the keys that no rule names any more.
  ///
  /// Throws `noSuchRule`.
  package func removing(_ models: ModelPattern) throws(TrustError) -> TrustPolicy {
    let rest = rules.filter { $0.models != models }
    guard rest.count < rules.count else { throw .noSuchRule(models) }
    return try rebuilt(keys: keys, rules: rest)
  }

  /// The policy without `key`, in any rule or as export-only; rules for which it was the only key go.
  ///
  /// Throws `noSuchKey`, or `badThreshold` where too few keys would be left for a rule.
  package func removing(_ key: Fingerprint) throws(TrustError) -> TrustPolicy {
    guard keys[key] != nil else { throw .noSuchKey(key) }
    var rest: [TrustRule] = []
    for rule in rules {
      let others = rule.keys.filter { $0 != key }
      if others.isEmpty { continue }
      rest.append(try TrustRule(models: rule.models, keys: others, threshold: rule.threshold))
    }
    return try rebuilt(keys: keys.filter { $0.key != key }, rules: rest)
  }

  /// The policy of these rules, with the keys that they name and those that are export-only.
  private func rebuilt(
    keys: [Fingerprint: TrustedKey],
    rules: [TrustRule]
  ) throws(TrustError) -> TrustPolicy {
    let named = Set(rules.flatMap(\.keys))
    return try TrustPolicy(
      keys: keys.filter { named.contains($0.key) || $0.value.isExportOnly }.map(\.value),
      rules: rules,
      withdrawnKeys: withdrawnKeys,
      withdrawnManifests: withdrawnManifests
    ).reserving(reservations)
  }
}
