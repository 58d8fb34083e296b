package import Manifests
import SystemFiles

extension StoredModel {
  /// Removes one version, and a candidate of it, from the store.
  ///
  /// The way back is forgotten with the previous version. The version can be had back until the trash is emptied.
  /// Nobody can begin to use it meanwhile. Throws ``StoreError/isActive(_:_:)`` for the active version, `isFallback` for the
  /// one to which a trial returns, `inUse` for one that somebody holds, and `noSuchVersion` where there is nothing to
  /// remove.
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
      if let record = record.record, record.triesLeft != nil,
        let fallback = record.previous?.version, fallback == version
      {
        throw StoreError.isFallback(name, version, of: record.active.version)
      }
      let names = try versionNames().filter { $0.version == version }
      try withLeasesAlone(of: names[...]) {
        if let record = record.record { try forgetPrevious(among: names, in: record) }
        for name in names { try removeVersion(name) }
      }
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
      let names = try versionNames()
      try withLeasesAlone(of: names[...]) {
        try forgetModel()
        for name in names { try removeVersion(name) }
      }
      for name in try manifestsWithoutBytes() {
        try folder.openFolder(StoreLayout.manifests).removeFile("\(name.text).json")
      }
    }
    for candidate in try stagingEntries() {
      try folder.openFolder(StoreLayout.staging).removeTree(candidate)
    }
    _ = try reconcile(holding: lock, now: nil)
  }

  /// Removes what says which versions are wanted, the active record first.
  private func forgetModel() throws {
    // A killed activation may not have raised it yet, and the record is about to go.
    if let record = try recordState().record { try raiseFloor(by: record) }
    try clearPlaceOfLink()
    for file in [
      StoreLayout.currentLink, StoreLayout.activeRecord, StoreLayout.badVersions, StoreLayout.pins,
    ] { try folder.removeFile(file) }
    try folder.sync()
  }

  /// Moves a damaged version to the trash, from where it can be had back; false if it is active, the way back or in use.
  package func discard(_ name: VersionName) throws -> Bool {
    try withStateLock {
      guard try isDiscardable(name, by: try recordState()) else { return false }
      do {
        try withLeasesAlone(of: [name]) { try removeVersion(name) }
        return true
      } catch StoreError.inUse {
        return false
      }
    }
  }

  /// Whether a damaged version may go: nobody chose it, as far as that is known.
  package func isDiscardable(_ name: VersionName, by state: RecordState) throws -> Bool {
    try state != .damaged && versionNames().contains(name) && state.record?.active.name != name
      && state.record?.previous?.name != name
  }

  /// Takes a version away that can be had back; the caller holds the state lock, and its lease alone.
  private func removeVersion(_ name: VersionName) throws {
    try moveToTrash(name, canReturn: true)
    if options.locking == .kernel {
      try folder.openFolder(StoreLayout.leases).removeFile(name.text)
    }
  }

  /// The names of the candidates that are there.
  package func candidateNames() throws -> [VersionName] {
    try stagingEntries().compactMap { VersionName($0) }
  }

  /// The names of all that lies in staging.
  func stagingEntries() throws -> [String] {
    try folder.entriesOfPart(StoreLayout.staging).map(\.name)
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
    let new = record.changed(previous: nil, triesLeft: record.triesLeft)
    try write(new)
    try raiseFloor(by: new)
  }
}
