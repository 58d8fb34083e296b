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
      for name in names { try moveToTrash(name) }
      return names
    }
    let candidates = try candidateNames().filter { $0.version == version }
    for candidate in candidates { try removeCandidate(candidate) }
    guard !(removed + candidates).isEmpty else { throw StoreError.noSuchVersion(name, version) }
    try emptyTrash()
    return removed + candidates
  }

  /// Removes all that the store holds of this model but its downgrade floor, the active record first.
  package func removeAll(holding lock: borrowing InstallLock) throws {
    try withStateLock {
      try folder.removeFile(StoreLayout.currentLink)
      try folder.removeFile(StoreLayout.activeRecord)
      try folder.sync()
      for name in try versionNames() { try moveToTrash(name) }
    }
    for candidate in try candidateNames() { try removeCandidate(candidate) }
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

  private func removeCandidate(_ name: VersionName) throws {
    try folder.openFolder(StoreLayout.staging).removeTree(name.text)
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

  func emptyTrash() throws {
    let trash = try folder.openFolder(StoreLayout.trash)
    for entry in try trash.entries() { try trash.removeTree(entry.name) }
  }
}
