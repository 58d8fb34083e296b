import Glibc
package import Manifests
import SystemFiles

extension StoredModel {
  /// Takes a version away at one instant; its bytes go when the trash is emptied.
  ///
  /// What a person removed can be had back for a while. The caller holds the state lock.
  func moveToTrash(_ name: VersionName, canReturn: Bool = false) throws {
    let versions = try folder.openFolder(StoreLayout.versions)
    let trash = try folder.openFolder(StoreLayout.trash)
    let doomed = "\(name.text).\(randomName())"
    // Without write permission a folder cannot be given another parent.
    let version = try versions.openFolder(name.text)
    if try version.status().mode & 0o200 == 0 { try version.setMode(kind.workFolder) }
    try folder.openFolder(StoreLayout.stamps).removeFile("\(name.text).json")
    try folder.openFolder(StoreLayout.manifests).removeFile("\(name.text).json")
    if canReturn, try trash.status(of: name.text) != nil {
      try trash.rename(name.text, to: trash, doomed)
    }
    if try !versions.renameIfMovable(name.text, to: trash, canReturn ? name.text : doomed) {
      // The lower layer of an overlay: without its stamp the version is no longer ready, so a crash leaves no half.
      try folder.openFolder(StoreLayout.stamps).sync()
      try versions.removeTree(name.text)
    }
    // Where it is going first: a power cut may show it twice, but not nowhere.
    try trash.sync()
    try versions.sync()
  }

  /// Takes a version back that a person removed not long ago; false if there is none.
  ///
  /// It is not believed: without its stamp every byte is read before it counts as right.
  package func restoreFromTrash(_ name: VersionName) throws -> Bool {
    try withStateLock { try moveOutOfTrash(name) }
  }

  private func moveOutOfTrash(_ name: VersionName) throws -> Bool {
    let trash = try folder.openFolder(StoreLayout.trash)
    let versions = try folder.openFolder(StoreLayout.versions)
    guard try trash.status(of: name.text)?.kind == .folder,
      try versions.status(of: name.text) == nil
    else { return false }
    try trash.renameWithoutReplacing(name.text, to: versions, name.text)
    try versions.sync()
    try trash.sync()
    return true
  }

  /// What lies in the trash, and whether it is kept there for a day: what a person removed, and what a repair took out of
  /// a version.
  func trashEntries() throws(SystemError) -> [(name: String, isKept: Bool)] {
    let entries: [Folder.Entry]
    do {
      entries = try folder.entriesOfPart(StoreLayout.trash)
    } catch let error where error.isNotWritable {
      // Nobody but who writes the store looks into its trash.
      return []
    }
    return entries.filter { $0.name != StoreLayout.cacheTag }
      .map { entry in
        let isKept = VersionName(entry.name) != nil || StoreLayout.isReplaced(entry.name)
        return (entry.name, entry.kind == .folder && isKept)
      }
  }

  /// Whether a version that was removed lies in the trash.
  package func canHaveBack(_ version: Version) throws -> Bool {
    try trashEntries().contains { VersionName($0.name)?.version == version }
  }

  /// The entries of the trash whose time has come at `now`; all of them without it.
  func doomedTrash(at now: Timestamp?) throws -> [String] {
    let entries = try trashEntries()
    guard !entries.isEmpty else { return [] }
    let trash = try folder.openFolder(StoreLayout.trash)
    var doomed: [String] = []
    for entry in entries {
      if entry.isKept, let now, let status = try trash.status(of: entry.name) {
        // A time that has not come yet counts as this moment.
        let age = now.seconds - Int64(status.changedAt / 1_000_000_000)
        if age <= StoreLayout.removalGrace { continue }
      }
      doomed.append(entry.name)
    }
    return doomed
  }

  /// Deletes what is on its way out, but not what is kept for a day at `now`.
  ///
  /// What cannot be deleted, such as a file that a network file system holds open, stays for the next
  /// time: it stands in the way of nothing.
  /// - Returns: The names of what stays although its time has come.
  @discardableResult
  package func emptyTrash(at now: Timestamp? = nil) throws -> [String] {
    let doomed = try doomedTrash(at: now)
    guard !doomed.isEmpty else { return [] }
    let trash = try folder.openFolder(StoreLayout.trash)
    var left: [String] = []
    for name in doomed {
      do {
        try trash.removeTree(name)
      } catch {
        left.append(name)
      }
    }
    return left
  }
}
