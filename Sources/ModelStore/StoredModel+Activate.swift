package import Manifests
import SystemFiles
import Trust

extension StoredModel {
  /// Makes a verified version the active one; success means that a power cut can no longer undo it.
  ///
  /// The rule about downgrades is applied under the state lock, to what the store says at that moment.
  /// - Parameters:
  ///   - version: The version; its kind is the proof that it was verified.
  ///   - now: The time that the record tells people.
  ///   - isDowngradeAllowed: Whether a person asked for a version below the floor.
  /// - Returns: The record that is now on disk.
  /// - Throws: `TrustError`, ``StoreError`` or `SystemError`; then the old version is still active.
  @discardableResult
  package func activate(
    _ version: VerifiedVersion,
    now: Timestamp,
    isDowngradeAllowed: Bool
  ) throws -> ActiveRecord {
    try withStateLock {
      let candidate = VersionHistory.Entry(
        version: version.name.version,
        manifest: version.accepted.digest
      )
      try history().check(candidate, isDowngradeAllowed: isDowngradeAllowed)
      let old = try recordState()
      if let record = old.record, record.active == version.entry {
        try pointCurrentLink(to: record)
        return record
      }
      let record = ActiveRecord(
        model: name,
        generation: 1 + max(old.record?.generation ?? 0, try floor()?.generation ?? 0),
        active: version.entry,
        previous: try old.record?.active ?? linkedEntry(besides: version.entry),
        activatedAt: now
      )
      try folder.replaceFile(
        StoreLayout.activeRecord,
        with: record.bytes,
        mode: StoreLayout.privateFile
      )
      try pointCurrentLink(to: record)
      try raiseFloor(by: record)
      return record
    }
  }

  /// Makes `current` name the files of the active version.
  func pointCurrentLink(to record: ActiveRecord) throws {
    let target = Self.linkTarget(of: record.active.name)
    guard try folder.linkTarget(StoreLayout.currentLink) != target else { return }
    try folder.replaceLink(StoreLayout.currentLink, target: target)
    try folder.sync()
  }

  static func linkTarget(of name: VersionName) -> String {
    "\(StoreLayout.versions)/\(name.text)/\(StoreLayout.files)"
  }

  /// The version that `current` names, as the way back where the record itself is damaged.
  private func linkedEntry(
    besides active: ActiveRecord.Entry
  ) throws -> ActiveRecord.Entry? {
    guard let target = try folder.linkTarget(StoreLayout.currentLink) else { return nil }
    for name in try versionNames() where Self.linkTarget(of: name) == target {
      guard name != active.name, let stamp = try stamp(of: name) else { return nil }
      return ActiveRecord.Entry(name: name, manifest: stamp.manifest)
    }
    return nil
  }
}
