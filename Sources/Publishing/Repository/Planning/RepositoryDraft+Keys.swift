package import Manifests
package import Signatures
package import Trust

/// What changes about the keys of one role.
package struct KeyRotation: Hashable, Sendable {
  package let role: RoleName
  package let added: [PublicKey]
  package let removed: [Fingerprint]
  /// The new threshold; nil leaves it.
  package let threshold: Int?

  package init(
    _ role: RoleName,
    adding added: [PublicKey] = [],
    removing removed: [Fingerprint] = [],
    threshold: Int? = nil
  ) {
    (self.role, self.added, self.removed, self.threshold) = (role, added, removed, threshold)
  }
}

/// What someone who sets keys should know.
package enum KeyAdvice: Hashable, Sendable {
  /// All keys of the role must sign, so that the loss of any one of them ends what it can do.
  case noSpareKey(RoleName, keys: Int)
  /// One key does everything.
  case oneKey(PublicKey)
  /// A compromised key is replaced, and those of timestamp or snapshot are not.
  case fastForward
}

extension RepositoryDraft {
  /// Makes a repository: a root with these keys and thresholds, and nothing in it.
  ///
  /// - Throws: ``RepositoryProblem/badThreshold(_:_:keys:)``.
  package init(
    newRepositoryWith roles: [RoleName: (keys: [PublicKey], threshold: Int)],
    policy: RepositoryPolicy,
    hasBins: Bool,
    lifetimes: RoleLifetimes,
    at now: Timestamp
  ) throws(RepositoryProblem) {
    self.init(base: nil, lifetimes: lifetimes)
    var table = KeyTable()
    var keys: [RoleName: RoleKeys] = [:]
    for role in Self.topLevel {
      let stated = roles[role] ?? ([], 1)
      keys[role] = try Self.roleKeys(role, stated.keys, stated.threshold)
      for key in stated.keys { table.insert(MetadataKey(key)) }
    }
    let none = RoleKeys(keyIDs: [], threshold: 1)
    root = SignedRoot(
      RootMetadata(
        header: header(.root, version: 1, at: now),
        usesConsistentSnapshots: true,
        keys: table,
        root: keys[.root] ?? none,
        timestamp: keys[.timestamp] ?? none,
        snapshot: keys[.snapshot] ?? none,
        targets: keys[.targets] ?? none
      )
    )
    self.policy = policy.envelope()
    edit(.targets, at: now) { _ in }
    try list(
      WithdrawnReleases().encode(),
      at: Self.path(RepositoryPath.withdrawn),
      custom: nil,
      now
    )
    if hasBins { try spread(at: now) }
    summary = ["make a repository"] + summary
  }

  package static let topLevel: [RoleName] = [.root, .targets, .snapshot, .timestamp]

  private static func roleKeys(
    _ role: RoleName,
    _ keys: [PublicKey],
    _ threshold: Int
  ) throws(RepositoryProblem) -> RoleKeys {
    var seen: Set<PublicKey> = []
    let distinct = keys.filter { seen.insert($0).inserted }
    guard threshold >= 1, threshold <= distinct.count else {
      throw .badThreshold(role, threshold, keys: distinct.count)
    }
    return RoleKeys(keyIDs: distinct.map { MetadataKey($0).id }, threshold: threshold)
  }

  /// Replaces the trust policy.
  package mutating func set(_ policy: RepositoryPolicy, at now: Timestamp) {
    self.policy = policy.envelope()
    // Nothing but the list of targets says so to clients.
    edit(.targets, at: now) { _ in }
    summary.append("trust policy \(policy.version)")
  }

  /// Changes the keys of roles by a new root, and signs anew what the old keys have signed.
  ///
  /// What old and new keys sign both comes before the new root, so that no client meets a root whose files it refuses. With
  /// `isCompromised` the old keys sign nothing more, and timestamp and snapshot are made anew in any case: clients then
  /// forget how far these were wound forward.
  /// - Throws: ``RepositoryProblem``.
  package mutating func rotate(
    _ rotations: [KeyRotation],
    isCompromised: Bool,
    policy known: Envelope?,
    at now: Timestamp
  ) throws(RepositoryProblem) {
    guard let base else { return }
    var next = base.root.contents
    for key in next.keys.keys where key.publicKey == nil { throw .foreignKey(key.id) }
    for rotation in rotations { try Self.apply(rotation, to: &next) }
    guard next != base.root.contents else { throw .nothingChanges }
    Self.dropUnused(&next)
    next.header = header(.root, version: base.root.contents.header.version + 1, at: now)
    root = SignedRoot(next)
    self.isCompromised = isCompromised
    let changed = Set(rotations.map(\.role))
    if changed.contains(.root), let known {
      policy =
        isCompromised ? Envelope(payloadType: known.payloadType, payload: known.payload) : known
    }
    if changed.contains(.targets) { renewTargets(next, at: now) }
    if policy != nil, targets.isEmpty { edit(.targets, at: now) { _ in } }
    if changed.contains(.snapshot) || isCompromised { renewsSnapshot = true }
    if changed.contains(.timestamp) || isCompromised { renewsTimestamp = true }
    for rotation in rotations { summary.append(Self.words(rotation)) }
  }

  /// Signs all targets roles anew; with bins, these name the keys that sign them.
  private mutating func renewTargets(_ root: RootMetadata, at now: Timestamp) {
    edit(.targets, at: now) { targets in
      guard case .succinct(var bins) = targets.delegations?.form else { return }
      bins.keys = root.targets
      targets.delegations = Delegations(keys: Self.keys(of: root), form: .succinct(bins))
    }
    for name in (base?.bins ?? [:]).keys { edit(name, at: now) { _ in } }
  }

  private static func apply(
    _ rotation: KeyRotation,
    to root: inout RootMetadata
  ) throws(RepositoryProblem) {
    guard let old = root[rotation.role] else { throw .noSuchDraft(rotation.role.text) }
    var keys = old.publicKeys(in: root.keys)
    for removed in rotation.removed {
      guard keys.contains(where: { $0.fingerprint == removed }) else {
        throw .keyNotThere(rotation.role, removed)
      }
      keys.removeAll { $0.fingerprint == removed }
    }
    for added in rotation.added {
      guard !keys.contains(added) else { throw .keyThere(rotation.role, added.fingerprint) }
      keys.append(added)
      root.keys.insert(MetadataKey(added))
    }
    root[rotation.role] = try roleKeys(rotation.role, keys, rotation.threshold ?? old.threshold)
  }

  /// Takes the keys out of the table that no role names any more.
  private static func dropUnused(_ root: inout RootMetadata) {
    let used = Set(topLevel.flatMap { root[$0]?.keyIDs ?? [] })
    for key in root.keys.keys where !used.contains(key.id) { root.keys.remove(key.id) }
  }

  private static func words(_ rotation: KeyRotation) -> String {
    let parts =
      rotation.added.map { "adds \($0.fingerprint)" } + rotation.removed.map { "removes \($0)" }
      + (rotation.threshold.map { ["needs \($0) signatures"] } ?? [])
    return "\(rotation.role.text): " + parts.joined(separator: ", ")
  }

  /// What someone should know of the keys that will be trusted.
  package var keyAdvice: [KeyAdvice] {
    guard let root = nextRoot else { return [] }
    let owners = Self.topLevel.map { root[$0]?.publicKeys(in: root.keys) ?? [] }
    if let only = owners[0].first, owners.allSatisfy({ $0 == [only] }) { return [.oneKey(only)] }
    return zip(Self.topLevel, owners).compactMap { role, keys in
      // A lost timestamp or snapshot key is replaced by a new root; a lost root key by nothing.
      guard role == .root, let threshold = root[role]?.threshold, threshold == keys.count else {
        return nil
      }
      return .noSpareKey(role, keys: keys.count)
    }
  }
}
