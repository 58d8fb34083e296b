package import Manifests

/// What is asked of a snapshot (5.5).
package struct SnapshotRule: Sendable {
  package let root: RootMetadata
  /// What the timestamp says of it.
  package let facts: FileFacts
  package let now: Timestamp
  package var limits = MetadataLimits.standard

  package init(root: RootMetadata, facts: FileFacts, now: Timestamp) {
    (self.root, self.facts, self.now) = (root, facts, now)
  }

  /// Reads a stored snapshot as a floor: nil unless the current keys have signed it (5.3.11).
  ///
  /// It binds even where the timestamp names another one by now.
  package static func floor(
    _ bytes: [UInt8]?,
    root: RootMetadata,
    limits: MetadataLimits = .standard
  ) -> SignedSnapshot? {
    guard let bytes else { return nil }
    do throws(MetadataRefusal) { return try read(bytes, root: root, limits: limits) } catch {
      return nil
    }
  }

  /// Whether a stored snapshot is well-formed, and too few of the keys that count now have signed it: they were replaced.
  ///
  /// One that cannot be read says nothing of keys.
  static func hasFormerKeys(
    _ bytes: [UInt8]?,
    root: RootMetadata,
    limits: MetadataLimits = .standard
  ) -> Bool {
    guard let bytes else { return false }
    do throws(MetadataRefusal) { _ = try read(bytes, root: root, limits: limits) } catch {
      return error.kind == .signatures
    }
    return false
  }

  /// Accepts the snapshot that the timestamp names.
  package func accept(
    _ bytes: [UInt8],
    after floor: SignedSnapshot?
  ) throws(MetadataRefusal) -> SignedSnapshot {
    try requireFacts(bytes)
    let snapshot = try Self.read(bytes, root: root, limits: limits)
    try requireCurrent(snapshot, after: floor)
    return snapshot
  }

  private func requireFacts(_ bytes: [UInt8]) throws(MetadataRefusal) {
    do throws(MetadataProblem) { try facts.requireMatch(bytes) } catch {
      throw MetadataRefusal(section: "5.5.2", role: .snapshot, error)
    }
  }

  /// Asks of a snapshot that is signed what the timestamp, the one before it and the clock ask (5.5.4–6).
  private func requireCurrent(
    _ snapshot: SignedSnapshot,
    after floor: SignedSnapshot?
  ) throws(MetadataRefusal) {
    guard snapshot.version == facts.version else {
      throw MetadataRefusal(
        section: "5.5.4",
        role: .snapshot,
        .wrongVersion(found: snapshot.version, expected: facts.version)
      )
    }
    try Self.requireNoRollback(snapshot.contents, after: floor?.contents)
    try requireUnexpired(snapshot)
  }

  /// Accepts a stored file as if it had just arrived; nil if it is not the one that the timestamp names.
  ///
  /// Where it is the floor itself, which the keys of ``root`` have signed, it is not read and verified once more.
  func acceptStored(_ bytes: [UInt8]?, after floor: SignedSnapshot?) -> SignedSnapshot? {
    guard let bytes else { return nil }
    do throws(MetadataRefusal) {
      guard let floor, floor.bytes == bytes else { return try accept(bytes, after: floor) }
      try requireFacts(bytes)
      try requireCurrent(floor, after: floor)
      return floor
    } catch { return nil }
  }

  private func requireUnexpired(_ snapshot: SignedSnapshot) throws(MetadataRefusal) {
    try RootRule.requireUnexpired(
      snapshot.contents.header,
      as: .snapshot,
      at: now,
      section: "5.5.6"
    )
  }

  private static func read(
    _ bytes: [UInt8],
    root: RootMetadata,
    limits: MetadataLimits
  ) throws(MetadataRefusal) -> SignedSnapshot {
    let snapshot = try SignedSnapshot(parsing: bytes, as: .snapshot, limit: limits.snapshot)
    try snapshot.requireThreshold(root.snapshot, in: root.keys, as: .snapshot, section: "5.5.3")
    return snapshot
  }

  /// Refuses a snapshot that lacks a role of the one before, or lists an older file of one (5.5.5).
  private static func requireNoRollback(
    _ snapshot: SnapshotMetadata,
    after trusted: SnapshotMetadata?
  ) throws(MetadataRefusal) {
    // In the order of names, so that one snapshot is always refused for one reason.
    for (role, known) in (trusted?.files ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let found = snapshot.files[role] else {
        throw MetadataRefusal(section: "5.5.5", role: .snapshot, .vanished(role))
      }
      guard found.version >= known.version else {
        throw MetadataRefusal(
          section: "5.5.5",
          role: .snapshot,
          .listedRollback(role, found: found.version, trusted: known.version)
        )
      }
    }
  }
}
