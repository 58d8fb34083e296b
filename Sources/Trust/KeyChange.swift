import Signatures

/// What a change of a policy has made of a key that other rules name as well.
///
/// The name and the end of a key are those of the key, not of a rule: whoever states them for one rule states them for
/// all.
package struct KeyChange: Equatable, Sendable {
  package let before: TrustedKey
  package let after: TrustedKey
  /// The rules, besides the one that was to be changed, that name the key.
  package let rules: [TrustRule]

  package init(before: TrustedKey, after: TrustedKey, rules: [TrustRule]) {
    (self.before, self.after, self.rules) = (before, after, rules)
  }

  package var changesName: Bool { !before.name.utf8.elementsEqual(after.name.utf8) }
  package var changesEnd: Bool { before.notAfter != after.notAfter }
}

extension TrustPolicy {
  /// The keys that have another name or end than in `old`, and that rules besides the one for `models` name.
  package func changes(
    since old: TrustPolicy,
    besides models: ModelPattern?
  ) -> [KeyChange] {
    keys.values.sorted { $0.fingerprint < $1.fingerprint }.compactMap { key in
      guard let before = old.keys[key.fingerprint] else { return nil }
      let others = rules.filter { $0.keys.contains(key.fingerprint) && $0.models != models }
      let change = KeyChange(before: before, after: key, rules: others)
      return others.isEmpty || !change.changesName && !change.changesEnd ? nil : change
    }
  }
}
