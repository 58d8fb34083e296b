import Digests
import Manifests
package import SystemFiles
package import Trust

/// The tree of a repository on disk.
///
/// Numbered metadata, targets and blobs are written once and never changed; only the timestamp, the copy of the newest root,
/// and a blob that has other bytes than its name says are replaced.
package struct RepositoryTree: ~Copyable {
  private static let fileMode: UInt32 = 0o644
  private static let folderMode: UInt32 = 0o755

  /// The path as a person gave it.
  package let path: String
  let folder: Folder

  /// Opens the tree at `path`.
  ///
  /// - Throws: ``RepositoryProblem/notThere(_:)`` where there is neither a first root nor one that waits for signatures, and
  ///   `SystemError`.
  package init(path: String) throws {
    guard try Folder.exists(path) else { throw RepositoryProblem.notThere(path) }
    let folder = try Folder(path: path)
    guard try Self.hasRoot(folder) || Self.hasWaiting(folder) else {
      throw RepositoryProblem.notThere(path)
    }
    self.path = path
    self.folder = folder
  }

  /// Makes the folder of a new tree; one that is there already may hold anything but a repository.
  ///
  /// - Throws: ``RepositoryProblem/alreadyThere(_:)`` and `SystemError`.
  package init(creating path: String) throws {
    let folder = try Folder(creating: path, mode: Self.folderMode)
    guard try !Self.hasRoot(folder) else { throw RepositoryProblem.alreadyThere(path) }
    self.path = path
    self.folder = folder
  }

  /// Whether a change waits, or was put aside while another was published.
  private static func hasWaiting(_ folder: borrowing Folder) throws(SystemError) -> Bool {
    guard let work = try folder.openFolderIfPresent(RepositoryLayout.work) else { return false }
    if try work.status(of: RepositoryLayout.pending) != nil { return true }
    return try work.status(of: RepositoryLayout.aside) != nil
  }

  private static func hasRoot(_ folder: borrowing Folder) throws(SystemError) -> Bool {
    guard let metadata = try folder.openFolderIfPresent("metadata") else { return false }
    // Where the first was lost, its copy tells that there is a repository.
    if try metadata.status(of: "root.json") != nil { return true }
    return try metadata.status(of: "1.root.json") != nil
  }

  /// Whether anything was published yet.
  package var isPublished: Bool { get throws(SystemError) { try Self.hasRoot(folder) } }

  /// The folder of the publisher, which is made where it is missing; who only reads a tree needs none.
  func openWork() throws(SystemError) -> Folder {
    try folder.makeFolder(RepositoryLayout.work, mode: 0o700)
  }

  /// Keeps other publishers of this machine out until the value ends; waits for them, nil once `goesOn` says no.
  package func lock(while goesOn: () -> Bool) throws(SystemError) -> FileLock? {
    try FileLock.wait(
      for: RepositoryLayout.lock,
      in: openWork(),
      .exclusive,
      mode: 0o600,
      while: goesOn
    )
  }

  // MARK: Files

  /// Reads a file of the tree; nil if there is none.
  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    do {
      return try folder.readFile(path, limit: limit)
    } catch let error where error.isNotFound {
      return nil
    }
  }

  /// Writes a file that is never changed; one with the same bytes is there already.
  ///
  /// - Throws: ``RepositoryProblem/versionTaken(_:)`` for one with other bytes, and `SystemError`.
  func create(_ path: String, _ bytes: [UInt8]) throws {
    let (parent, name) = splitPath(path)
    let parts = parent.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    let place = try folder.makeLastingFolders(parts[...], mode: Self.folderMode)
    if try Self.isMade(name, bytes, in: place) { return }
    guard try place.status(of: name)?.size == bytes.count,
      try place.readFile(name, limit: bytes.count) == bytes
    else {
      throw RepositoryProblem.versionTaken(path)
    }
  }

  /// Makes a file; false if something has the name already.
  private static func isMade(
    _ name: String,
    _ bytes: [UInt8],
    in place: borrowing Folder
  ) throws(SystemError) -> Bool {
    guard try place.status(of: name) == nil else { return false }
    do throws(SystemError) {
      try place.createWhole(name, with: bytes.span, mode: fileMode)
      return true
    } catch {
      guard error.isTaken else { throw error }
      return false
    }
  }

  /// Replaces a file, as only the timestamp and the copy of the root are.
  func replace(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
    let (parent, name) = splitPath(path)
    try folder.makeFolder(parent, mode: Self.folderMode).replaceWhole(
      name,
      with: bytes.span,
      mode: Self.fileMode
    )
  }

  // MARK: Documents and blobs

  /// The path of a target in the tree: its name as it is, to which servers resolve the percent signs of a request.
  static func path(_ path: TargetPath, _ digest: SHA256Digest) throws(RepositoryProblem) -> String {
    guard TargetPath.isPublishable(path.text) else { throw .unfitPath(path.text) }
    let (parent, name) = splitPath("targets/\(path.text)")
    return "\(parent)/\(digest.hex).\(name)"
  }

  /// Writes what the change lists as targets; nobody reads it before the metadata names it.
  func write(_ documents: [RepositoryDraft.Document]) throws {
    for document in documents {
      try create(
        Self.path(document.path, SHA256Digest(of: document.bytes)),
        document.bytes
      )
    }
  }

  /// Reads a target that the metadata lists.
  package func document(
    _ path: TargetPath,
    _ file: TargetFile
  ) throws -> [UInt8] {
    try RepositoryState.document(path, file) { place, limit in
      // A longer one is as good as none.
      guard try folder.status(of: place)?.size ?? 0 <= limit else { return nil }
      return try read(place, limit: limit)
    }
  }
}

extension Folder {
  /// Opens the folder at `components`, and makes what is missing, durably before anything names what lies in it.
  func makeLastingFolders(
    _ components: ArraySlice<String>,
    mode: UInt32
  ) throws(SystemError) -> Folder {
    guard let first = components.first else { return try openFolder(".") }
    let isNew = try status(of: first) == nil
    let next = try makeFolder(first, mode: mode)
    if isNew { try sync() }
    return try next.makeLastingFolders(components.dropFirst(), mode: mode)
  }
}
