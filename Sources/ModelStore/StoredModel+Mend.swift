import Manifests
import SystemFiles
import Trust

// How a repair changes a version that is there. Decision 32 says why file by file.
extension StoredModel {
  /// Notes that files of a version were read and are wrong, so that no look calls it verified before they are right.
  ///
  /// When its manifest was accepted first stays known.
  package func noteDamage(of name: VersionName) throws {
    try withStateLock {
      guard let stamp = try stamp(of: name), stamp.vouches else { return }
      let void = Stamp(
        manifest: stamp.manifest,
        acceptedAt: stamp.acceptedAt,
        facts: StampFacts()
      )
      try writeStamp(void, of: name)
    }
  }

  /// Puts the files of a candidate, all of which this process has sealed, into the places of those that are wrong in its
  /// version, and takes out what does not belong there.
  ///
  /// Each name stands for the old file or for the right one, never for none where there was one: the two change places,
  /// so who has the old file open or mapped keeps it, and no inode is written to. Where the file system cannot exchange
  /// names, a name is empty for a moment, and after a kill until the next repair; the wrong file is then among those of the
  /// candidate. The version is not proven after this; a full check is to follow. A kill leaves a version with fewer wrong
  /// files than before. The caller holds the install lock.
  /// - Returns: The path of the folder in the trash with all that was taken out; nil if that is nothing.
  /// - Throws: ``StoreError/noSuchVersion(_:_:)``, ``StoreError/swapped(_:)`` or `SystemError`.
  package func mend(_ candidate: borrowing Candidate) throws -> String? {
    precondition(candidate.sealed.count == candidate.indices.count, "all files are sealed")
    let lock = try lockState()
    try requirePresence(of: candidate.name)
    let trash = try folder.openFolder(StoreLayout.trash)
    let place = StoreLayout.replacedName(of: candidate.name)
    let evidence = try trash.makeFolder(place, mode: kind.workFolder)
    let version = try folder.openFolder("\(StoreLayout.versions)/\(candidate.name.text)")
    let hasReplaced: Bool
    do {
      try version.setModeOfFolders(kind.publishedFolder | 0o200)
      hasReplaced = try exchange(candidate, in: version, keeping: evidence)
      // Where things are going first: a power cut may show one twice, but not nowhere.
      try evidence.syncTree()
      try trash.sync()
      try version.syncTree()
      try candidate.tree.syncTree()
      try version.setModeOfFolders(kind.publishedFolder)
    } catch {
      try? version.setModeOfFolders(kind.publishedFolder)
      throw error
    }
    lock.release()
    if !hasReplaced { try trash.removeTree(place) }
    return hasReplaced ? "\(path)/\(StoreLayout.trash)/\(place)" : nil
  }

  /// Says whether anything was moved to `evidence`.
  private func exchange(
    _ candidate: borrowing Candidate,
    in version: borrowing Folder,
    keeping evidence: borrowing Folder
  ) throws -> Bool {
    let mode = kind.publishedFolder | 0o200
    var hasReplaced = false
    if let found = try version.status(of: StoreLayout.files), found.kind != .folder {
      let odd = try evidence.makeFolder(StoreLayout.odd, mode: kind.workFolder)
      hasReplaced = try version.moveEntries(to: odd) { $0.name == StoreLayout.files }
    }
    let files = try version.makeFolder(StoreLayout.files, mode: mode)
    let old = try evidence.makeFolder(StoreLayout.files, mode: kind.workFolder)
    let release = ReleaseFolder(candidate.accepted.release.paths.map { $0.components[...] })
    hasReplaced = try release.setAside(strangersIn: files, to: old, kind.workFolder) || hasReplaced
    for index in candidate.indices {
      let path = candidate.accepted.release.files[index].path
      let (folders, name) = (path.components.dropLast(), path.components.last ?? path.text)
      let place = try files.makeFolders(folders[...], mode: mode)
      let fresh = try candidate.files.makeFolders(folders[...], mode: kind.workFolder)
      if try place.status(of: name) == nil {
        try fresh.renameWithoutReplacing(name, to: place, name)
      } else {
        try fresh.exchange(name, with: place, name)
        try fresh.rename(name, to: old.makeFolders(folders[...], mode: kind.workFolder), name)
        hasReplaced = true
      }
      guard let found = try place.status(of: name), let sealed = candidate.sealed[path],
        found.identity == sealed.identity, found.linkCount == 1
      else { throw StoreError.swapped(path) }
    }
    return hasReplaced
  }
}

/// The names that a folder of a release has, and what is beneath each of them.
///
/// Names are compared by their bytes, as a file system does it: texts are equal where Unicode calls them the same.
private struct ReleaseFolder {
  private var files: Set<[UInt8]> = []
  private var folders: [[UInt8]: [ArraySlice<String>]] = [:]

  init(_ paths: [ArraySlice<String>]) {
    for path in paths {
      guard let first = path.first else { continue }
      if path.count == 1 {
        files.insert(Array(first.utf8))
      } else {
        folders[Array(first.utf8), default: []].append(path.dropFirst())
      }
    }
  }

  /// Moves what no release has there, and what is no file in the place of one, to `old`; says whether that is anything.
  func setAside(
    strangersIn folder: borrowing Folder,
    to old: borrowing Folder,
    _ mode: UInt32
  ) throws(SystemError) -> Bool {
    var hasMoved = try folder.moveEntries(to: old) { entry in
      switch entry.kind {
      case .file: !files.contains(Array(entry.name.utf8))
      case .folder: folders[Array(entry.name.utf8)] == nil
      case .link, .other: true
      }
    }
    for (bytes, paths) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let name = String(decoding: bytes, as: UTF8.self)
      guard let inner = try folder.openFolderProper(name) else { continue }
      let place = try old.makeFolder(name, mode: mode)
      let inside = ReleaseFolder(paths)
      hasMoved = try inside.setAside(strangersIn: inner, to: place, mode) || hasMoved
    }
    return hasMoved
  }
}
