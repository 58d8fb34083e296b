package import Signatures
package import Trust

extension KeyRotation {
  /// The same change of several roles.
  ///
  /// A key is removed from those of the roles that have it; a role about which nothing changes is left out.
  /// - Throws: ``RepositoryProblem/keyNotThere(_:_:)`` for a key that none of the roles has.
  package static func of(
    _ roles: [RoleName],
    in root: RootMetadata,
    adding added: [PublicKey],
    removing removed: [Fingerprint],
    threshold: Int?
  ) throws(RepositoryProblem) -> [KeyRotation] {
    func has(_ role: RoleName, _ key: Fingerprint) -> Bool {
      let keys = root[role]?.publicKeys(in: root.keys) ?? []
      return keys.contains { $0.fingerprint == key }
    }
    for key in removed where !roles.contains(where: { has($0, key) }) {
      throw .keyNotThere(roles.first ?? .root, key)
    }
    return roles.compactMap { role in
      let gone = removed.filter { has(role, $0) }
      guard !added.isEmpty || !gone.isEmpty || threshold != nil else { return nil }
      return KeyRotation(role, adding: added, removing: gone, threshold: threshold)
    }
  }
}
