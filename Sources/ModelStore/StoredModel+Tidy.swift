import SystemFiles

extension StoredModel {
  /// Finishes what a killed process has left half done.
  ///
  /// Offline, and the same again changes nothing.
  ///
  /// Points `current` at the active version, raises the floor, and removes temporary files, stamps without a
  /// version, and the trash. Candidates stay: they are resumed.
  package func tidy(holding lock: borrowing InstallLock) throws {
    try withStateLock {
      try removeTemporaryFiles()
      try removeLooseStamps()
      guard let record = try recordState().record else { return }
      try pointCurrentLink(to: record)
      try raiseFloor(by: record)
    }
    try emptyTrash()
  }

  /// Removes what a process has left that was killed while it changed the state; the caller holds its lock.
  func removeTemporaryFiles() throws {
    try Self.removeTemporaryFiles(in: folder, of: StoreLayout.activeRecord)
    try Self.removeTemporaryFiles(in: folder, of: StoreLayout.currentLink)
    try Self.removeTemporaryFiles(in: store.openFolder(StoreLayout.floors), of: floorName)
  }

  private static func removeTemporaryFiles(
    in folder: borrowing Folder,
    of name: String
  ) throws {
    for entry in try folder.entries()
    where StoreLayout.isTemporary(entry.name, of: name) && entry.kind != .folder {
      try folder.removeFile(entry.name)
    }
  }

  private func removeLooseStamps() throws {
    let known = Set(try versionNames().map { "\($0.text).json" })
    let stamps = try folder.openFolder(StoreLayout.stamps)
    for entry in try stamps.entries() where !known.contains(entry.name) {
      try stamps.removeFile(entry.name)
    }
  }
}
