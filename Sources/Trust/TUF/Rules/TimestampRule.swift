package import Manifests

/// What is asked of a timestamp (5.4).
package struct TimestampRule: Sendable {
  /// The keys that count now.
  package let root: RootMetadata
  package let now: Timestamp
  package var limits = MetadataLimits.standard

  package init(root: RootMetadata, now: Timestamp) { (self.root, self.now) = (root, now) }

  /// What was trusted before, and what of it still binds.
  package struct Floor: Sendable {
    package let timestamp: SignedTimestamp
    /// Whether the snapshot version that it names is a floor too: it is not once the keys of the snapshot have been
    /// replaced, which is how a repository recovers from a version that an attacker has raised (5.3.11).
    package let bindsSnapshot: Bool

    package init(timestamp: SignedTimestamp, bindsSnapshot: Bool) {
      (self.timestamp, self.bindsSnapshot) = (timestamp, bindsSnapshot)
    }
  }

  /// Reads a stored timestamp as a floor: nil unless the current keys have signed it (5.3.11).
  ///
  /// That it may have expired doesn't matter: what was current once is never undone.
  package func floor(_ bytes: [UInt8]?) -> SignedTimestamp? {
    guard let bytes else { return nil }
    do throws(MetadataRefusal) { return try read(bytes) } catch { return nil }
  }

  /// Accepts a timestamp that is newer than the one before.
  ///
  /// One of the same version is dropped, and the one before is returned (5.4.3.1).
  package func accept(
    _ bytes: [UInt8],
    after floor: Floor?
  ) throws(MetadataRefusal) -> SignedTimestamp {
    let offered = try read(bytes)
    let timestamp = try newest(offered, after: floor)
    try requireUnexpired(timestamp)
    return timestamp
  }

  private func requireUnexpired(_ timestamp: SignedTimestamp) throws(MetadataRefusal) {
    try RootRule.requireUnexpired(
      timestamp.contents.header,
      as: .timestamp,
      at: now,
      section: "5.4.4"
    )
  }

  private func read(_ bytes: [UInt8]) throws(MetadataRefusal) -> SignedTimestamp {
    let timestamp = try SignedTimestamp(parsing: bytes, as: .timestamp, limit: limits.timestamp)
    try timestamp.requireThreshold(root.timestamp, in: root.keys, as: .timestamp, section: "5.4.2")
    return timestamp
  }

  private func newest(
    _ offered: SignedTimestamp,
    after floor: Floor?
  ) throws(MetadataRefusal) -> SignedTimestamp {
    guard let floor else { return offered }
    let trusted = floor.timestamp
    guard offered.version >= trusted.version else {
      throw MetadataRefusal(
        section: "5.4.3.1",
        role: .timestamp,
        .rollback(found: offered.version, trusted: trusted.version)
      )
    }
    guard offered.version > trusted.version else { return trusted }
    let (found, known) = (offered.contents.snapshot.version, trusted.contents.snapshot.version)
    guard !floor.bindsSnapshot || found >= known else {
      throw MetadataRefusal(
        section: "5.4.3.2",
        role: .timestamp,
        .listedRollback(.snapshot, found: found, trusted: known)
      )
    }
    return offered
  }
}
