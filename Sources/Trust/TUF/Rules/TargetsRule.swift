package import Manifests

/// What is asked of the targets role and of every delegated one (5.6.1–5).
///
/// Keys are those of the role that delegates to it now; nothing is remembered by name.
package struct TargetsRule: Sendable {
  package let role: RoleName
  package let keys: RoleKeys
  package let table: KeyTable
  /// What the snapshot says of the file.
  package let facts: FileFacts
  package let now: Timestamp
  package var limits = MetadataLimits.standard

  /// Takes what the snapshot says of the role; throws if that is nothing (5.6.1).
  package init(
    role: RoleName,
    keys: RoleKeys,
    table: KeyTable,
    snapshot: SnapshotMetadata,
    now: Timestamp
  ) throws(MetadataRefusal) {
    guard let facts = snapshot.files[role] else {
      throw MetadataRefusal(section: "5.6.1", role: role, .unlisted)
    }
    (self.role, self.keys, self.table) = (role, keys, table)
    (self.facts, self.now) = (facts, now)
  }

  /// Accepts the file that the snapshot names.
  package func accept(_ bytes: [UInt8]) throws(MetadataRefusal) -> SignedTargets {
    do throws(MetadataProblem) { try facts.requireMatch(bytes) } catch {
      throw MetadataRefusal(section: "5.6.2", role: role, error)
    }
    let file = try SignedTargets(parsing: bytes, as: role, limit: limits.targets)
    try file.requireThreshold(keys, in: table, as: role, section: "5.6.3")
    guard file.version == facts.version else {
      throw MetadataRefusal(
        section: "5.6.4",
        role: role,
        .wrongVersion(found: file.version, expected: facts.version)
      )
    }
    try RootRule.requireUnexpired(file.contents.header, as: role, at: now, section: "5.6.5")
    return file
  }

  /// Accepts a stored file as if it had just arrived; nil if it is not the one that the snapshot names.
  func acceptStored(_ bytes: [UInt8]?) -> SignedTargets? {
    guard let bytes else { return nil }
    do throws(MetadataRefusal) { return try accept(bytes) } catch { return nil }
  }
}
