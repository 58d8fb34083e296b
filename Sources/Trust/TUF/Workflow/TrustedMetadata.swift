package import Manifests

/// The metadata of a repository after every check of one run: what its owners say is current.
package struct TrustedMetadata: Sendable {
  package let root: SignedRoot
  package let timestamp: SignedTimestamp
  package let snapshot: SignedSnapshot
  package let targets: SignedTargets
  /// The time with which expiry was compared.
  package let now: Timestamp
  /// Whether expiry was not looked at: for showing and auditing what is there, never for installing.
  package let isExpiryIgnored: Bool

  init(
    root: SignedRoot,
    timestamp: SignedTimestamp,
    snapshot: SignedSnapshot,
    targets: SignedTargets,
    now: Timestamp,
    isExpiryIgnored: Bool = false
  ) {
    (self.root, self.timestamp, self.snapshot) = (root, timestamp, snapshot)
    (self.targets, self.now, self.isExpiryIgnored) = (targets, now, isExpiryIgnored)
  }

  /// When each of the four files expires, in the order in which they are read.
  package var expiries: [(role: RoleName, time: Timestamp)] {
    [
      (.root, root.contents.header.expires), (.timestamp, timestamp.contents.header.expires),
      (.snapshot, snapshot.contents.header.expires), (.targets, targets.contents.header.expires),
    ]
  }
}

extension TrustedMetadata {
  /// Checks what is stored as a run would, without asking anybody.
  ///
  /// With `ignoringExpiry`, files that have expired are taken: they say what was current when they were fetched, not
  /// what is. Throws `absent` for what is not stored.
  package init(
    offline stored: StoredMetadata,
    ignoringExpiry: Bool,
    now: Timestamp,
    limits: MetadataLimits = .standard
  ) throws(MetadataRefusal) {
    let time = ignoringExpiry ? Timestamp.earliest : now
    let root = try RootChain(pin: stored.pin, chain: stored.chain, limits: limits).newest
    try RootRule.requireUnexpired(root, at: time)
    var timestampRule = TimestampRule(root: root.contents, now: time)
    timestampRule.limits = limits
    let timestamp = try timestampRule.accept(
      try stored.timestamp.orAbsent(.timestamp, section: "5.4.1"),
      after: nil
    )
    var snapshotRule = SnapshotRule(
      root: root.contents,
      facts: timestamp.contents.snapshot,
      now: time
    )
    snapshotRule.limits = limits
    let snapshot = try snapshotRule.accept(
      try stored.snapshot.orAbsent(.snapshot, section: "5.5.1"),
      after: nil
    )
    var targetsRule = try TargetsRule(
      role: .targets,
      keys: root.contents.targets,
      table: root.contents.keys,
      snapshot: snapshot.contents,
      now: time
    )
    targetsRule.limits = limits
    let targets = try targetsRule.accept(
      try stored.targets.orAbsent(.targets, section: "5.6.1")
    )
    self.init(
      root: root,
      timestamp: timestamp,
      snapshot: snapshot,
      targets: targets,
      now: now,
      isExpiryIgnored: ignoringExpiry
    )
  }

  /// The time with which the expiry of delegated roles is compared.
  package var comparedTime: Timestamp { isExpiryIgnored ? .earliest : now }
}

extension Timestamp {
  /// A time before every expiry but its own.
  package static var earliest: Timestamp {
    guard let time = Timestamp(seconds: -62_167_219_200) else {
      preconditionFailure("the year 0000 is a time")
    }
    return time
  }
}

extension [UInt8]? {
  fileprivate func orAbsent(_ role: RoleName, section: String) throws(MetadataRefusal) -> [UInt8] {
    guard let bytes = self else {
      throw MetadataRefusal(section: section, role: role, .absent)
    }
    return bytes
  }
}
