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

  /// Accepts the snapshot that the timestamp names.
  package func accept(
    _ bytes: [UInt8],
    after floor: SignedSnapshot?
  ) throws(MetadataRefusal) -> SignedSnapshot {
    do throws(MetadataProblem) { try facts.requireMatch(bytes) } catch {
      throw MetadataRefusal(section: "5.5.2", role: .snapshot, error)
    }
    let snapshot = try Self.read(bytes, root: root, limits: limits)
    guard snapshot.version == facts.version else {
      throw MetadataRefusal(
        section: "5.5.4",
        role: .snapshot,
        .wrongVersion(found: snapshot.version, expected: facts.version)
      )
    }
    try Self.requireNoRollback(snapshot.contents, after: floor?.contents)
    try requireUnexpired(snapshot)
    return snapshot
  }

  /// Accepts a stored file as if it had just arrived; nil if it is not the one that the timestamp names.
  func acceptStored(_ bytes: [UInt8]?, after floor: SignedSnapshot?) -> SignedSnapshot? {
    guard let bytes else { return nil }
    do throws(MetadataRefusal) { return try accept(bytes, after: floor) } catch { return nil }
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
