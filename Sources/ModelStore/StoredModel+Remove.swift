package import Manifests
import SystemFiles

extension StoredModel {
  /// Removes one version, and a candidate of it, from the store.
  ///
  /// The way back is forgotten with the previous version. Throws ``StoreError/isActive(_:_:)`` for the active
  /// version and `noSuchVersion` where there is nothing to remove.
  /// - Returns: The names of what was removed.
  @discardableResult
  package func remove(
    _ version: Version,
    holding lock: borrowing InstallLock
  ) throws -> [VersionName] {
    let removed = try withStateLock {
      let record = try recordState()
      if case .damaged = record { throw StoreError.damagedRecord(name) }
      if record.record?.active.version == version { throw StoreError.isActive(name, version) }
      let names = try versionNames().filter { $0.version == version }
      if let record = record.record { try forgetPrevious(among: names, in: record) }
      for name in names { try moveToTrash(name) }
      return names
    }
    let candidates = try candidateNames().filter { $0.version == version }
    for candidate in candidates { try removeCandidate(candidate, holding: lock) }
    guard !(removed + candidates).isEmpty else { throw StoreError.noSuchVersion(name, version) }
    try emptyTrash()
    return removed + candidates
  }

  /// Removes all that the store holds of this model but its downgrade floor, the active record first.
  package func removeAll(holding lock: borrowing InstallLock) throws {
    try withStateLock {
      // A killed activation may not have raised it yet, and the record is about to go.
      if let record = try recordState().record { try raiseFloor(by: record) }
      try folder.removeFile(StoreLayout.currentLink)
      try folder.removeFile(StoreLayout.activeRecord)
      try folder.sync()
      for name in try versionNames() { try moveToTrash(name) }
    }
    for candidate in try candidateNames() { try removeCandidate(candidate, holding: lock) }
    try emptyTrash()
  }

  /// Removes the versions that an activation has left behind: all below the active one but the previous one.
  ///
  /// Keeps everything while the record cannot be read.
  package func removeSuperseded(holding lock: borrowing InstallLock) throws {
    try withStateLock {
      guard let record = try recordState().record else { return }
      let kept = [record.active.name, record.previous?.name]
      for name in try versionNames()
      where !kept.contains(name) && name.version <= record.active.version {
        try moveToTrash(name)
      }
    }
    try emptyTrash()
  }

  /// The names of the candidates that are there.
  package func candidateNames() throws -> [VersionName] {
    guard try folder.status(of: StoreLayout.staging) != nil else { return [] }
    return try folder.openFolder(StoreLayout.staging).entries().compactMap { VersionName($0.name) }
  }

  /// Removes a candidate, if it is there, with all that was fetched for it.
  package func removeCandidate(
    _ name: VersionName,
    holding lock: borrowing InstallLock
  ) throws {
    try folder.openFolder(StoreLayout.staging).removeTree(name.text)
  }

  /// Writes the record without its way back where that is among `names`.
  ///
  /// The file is what changes, so it gets a generation of its own.
  private func forgetPrevious(among names: [VersionName], in record: ActiveRecord) throws {
    guard let previous = record.previous, names.contains(previous.name) else { return }
    let new = ActiveRecord(
      model: record.model,
      generation: record.generation + 1,
      active: record.active,
      previous: nil,
      activatedAt: record.activatedAt
    )
    try write(new)
    try raiseFloor(by: new)
  }

  /// Takes a version away at one instant; its bytes go when the trash is emptied.
  private func moveToTrash(_ name: VersionName) throws {
    let versions = try folder.openFolder(StoreLayout.versions)
    // Without write permission a folder cannot be given another parent.
    try versions.openFolder(name.text).setMode(StoreLayout.privateFolder)
    try folder.openFolder(StoreLayout.stamps).removeFile("\(name.text).json")
    try versions.rename(
      name.text,
      to: try folder.openFolder(StoreLayout.trash),
      "\(name.text).\(randomName())"
    )
    try versions.sync()
  }

  /// Deletes what is on its way out.
  ///
  /// What cannot be deleted now, such as a file that a network file system holds open, stays for the next
  /// time: it stands in the way of nothing.
  func emptyTrash() throws {
    let trash = try folder.openFolder(StoreLayout.trash)
    for entry in try trash.entries() { try? trash.removeTree(entry.name) }
  }
}
