import Glibc
package import Manifests
import SystemFiles
package import Trust

extension StoredModel {
  /// Makes a verified version the active one; success means that a power cut can no longer undo it.
  ///
  /// The rule about downgrades is applied under the state lock, to what the store says at that moment.
  /// - Parameters:
  ///   - version: The version; its kind is the proof that it was verified.
  ///   - now: The time that the record tells people.
  ///   - consent: What a person has agreed to.
  /// - Returns: The record that is now on disk.
  /// - Throws: `TrustError`, ``StoreError`` or `SystemError`; then the old version is still active, unless
  ///   a system call fails after the new record is durable, while `current` follows.
  @discardableResult
  package func activate(
    _ version: VerifiedVersion,
    now: Timestamp,
    consent: VersionHistory.Consent
  ) throws -> ActiveRecord {
    try withStateLock {
      try history().check(version.entry.past, consent: consent)
      try requirePresence(of: version.name)
      try requireReplaceableLink()
      try removeTemporaryFiles()
      let old = try recordState()
      if let record = old.record { try raiseFloor(by: record) }
      let record =
        if let record = old.record, record.active == version.entry {
          record
        } else {
          try nextRecord(for: version.entry, after: old, now: now)
        }
      // The floor first: were it behind the record, a later change of the record would forget the highest version.
      try raiseFloor(by: record, replacingDamaged: consent == .anyVersion)
      if record != old.record { try write(record) }
      try pointCurrentLink(to: record)
      return record
    }
  }

  /// The record that names `entry`; writing it is the one step that makes the version active.
  private func nextRecord(
    for entry: ActiveRecord.Entry,
    after old: RecordState,
    now: Timestamp
  ) throws -> ActiveRecord {
    ActiveRecord(
      model: name,
      generation: 1 + max(old.record?.generation ?? 0, try floorState().generation),
      active: entry,
      previous: try old.record?.active ?? linkedEntry(besides: entry),
      activatedAt: now
    )
  }

  func write(_ record: ActiveRecord) throws {
    try folder.replaceFile(
      StoreLayout.activeRecord,
      with: record.bytes,
      mode: StoreLayout.privateFile
    )
  }

  /// Throws `noSuchVersion` if the version was removed since it was verified.
  private func requirePresence(of version: VersionName) throws {
    guard try versionNames().contains(version) else {
      throw StoreError.noSuchVersion(name, version.version)
    }
  }

  /// Throws before the commit what would only fail after it.
  private func requireReplaceableLink() throws {
    guard let status = try folder.status(of: StoreLayout.currentLink), status.kind == .folder
    else { return }
    throw SystemError("renameat", code: EISDIR, path: "\(path)/\(StoreLayout.currentLink)")
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
