package import Manifests
import SystemFiles

extension StoredModel {
  /// Removes one version, and a candidate of it, from the store.
  ///
  /// The way back is forgotten with the previous version. The version can be had back until the trash is emptied.
  /// Throws ``StoreError/isActive(_:_:)`` for the active version, `inUse` for one that somebody holds, and
  /// `noSuchVersion` where there is nothing to remove.
  /// - Returns: The names of what was removed.
  @discardableResult
  package func remove(
    _ version: Version,
    holding lock: borrowing InstallLock
  ) throws -> [VersionName] {
    let removed = try withStateLock {
      let record = try recordState()
      if case .damaged = record { throw try damagedRecord() }
      if record.record?.active.version == version { throw StoreError.isActive(name, version) }
      let names = try versionNames().filter { $0.version == version }
      for name in names { try requireUnused(name) }
      if let record = record.record { try forgetPrevious(among: names, in: record) }
      for name in names { try moveToTrash(name, canReturn: true) }
      return names
    }
    let candidates = try candidateNames().filter { $0.version == version }
    for candidate in candidates { try removeCandidate(candidate, holding: lock) }
    guard !(removed + candidates).isEmpty else { throw StoreError.noSuchVersion(name, version) }
    return removed + candidates
  }

  /// Removes all that the store holds of this model but its downgrade floor, the active record first.
  ///
  /// The versions can be had back until the trash is emptied. Throws `inUse` while somebody holds one.
  package func removeAll(holding lock: borrowing InstallLock) throws {
    try withStateLock {
      for name in try versionNames() { try requireUnused(name) }
      // A killed activation may not have raised it yet, and the record is about to go.
      if let record = try recordState().record { try raiseFloor(by: record) }
      for file in [
        StoreLayout.currentLink, StoreLayout.activeRecord, StoreLayout.badVersions,
        StoreLayout.pins,
      ] { try folder.removeFile(file) }
      try folder.sync()
      for name in try versionNames() { try moveToTrash(name, canReturn: true) }
      for name in try manifestsWithoutBytes() {
        try folder.openFolder(StoreLayout.manifests).removeFile("\(name.text).json")
      }
    }
    for candidate in try stagingEntries() {
      try folder.openFolder(StoreLayout.staging).removeTree(candidate)
    }
    _ = try reconcile(holding: lock, now: nil)
  }

  /// Moves a damaged version to the trash, from where it can be had back; false if it is active or the way back.
  package func discard(_ name: VersionName) throws -> Bool {
    try withStateLock {
      let state = try recordState()
      guard state != .damaged, try versionNames().contains(name),
        state.record?.active.name != name, state.record?.previous?.name != name
      else { return false }
      try moveToTrash(name, canReturn: true)
      return true
    }
  }

  /// The names of the candidates that are there.
  package func candidateNames() throws -> [VersionName] {
    try stagingEntries().compactMap { VersionName($0) }
  }

  /// The names of all that lies in staging.
  func stagingEntries() throws -> [String] {
    guard try folder.status(of: StoreLayout.staging) != nil else { return [] }
    return try folder.openFolder(StoreLayout.staging).entries().map(\.name)
  }

  /// Removes a candidate, if it is there, with all that was fetched for it.
  package func removeCandidate(
    _ name: VersionName,
    holding lock: borrowing InstallLock
  ) throws {
    try folder.openFolder(StoreLayout.staging).removeTree(name.text)
  }

  /// Throws `inUse` if somebody is known to hold a lease of the version.
  private func requireUnused(_ name: VersionName) throws {
    guard options.locking == .kernel else { return }
    let leases = try folder.openFolder(StoreLayout.leases)
    guard try leases.status(of: name.text) != nil else { return }
    if try FileLock.takeExisting(name.text, in: leases, .exclusive) == nil {
      throw StoreError.inUse(self.name, name.version)
    }
  }

  /// Writes the record without its way back where that is among `names`.
  ///
  /// The file is what changes, so it gets a generation of its own.
  private func forgetPrevious(among names: [VersionName], in record: ActiveRecord) throws {
    guard let previous = record.previous, names.contains(previous.name) else { return }
    let new = record.changed(previous: nil, triesLeft: record.triesLeft)
    try write(new)
    try raiseFloor(by: new)
  }
}
