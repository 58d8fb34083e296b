package import Manifests
import StrictJSON
package import SystemFiles

/// The directory in which a client keeps models.
///
/// `StoreLayout` draws it.
///
/// Everything inside is reached through the one descriptor of its root, so the store may be moved as a whole.
package struct Store: ~Copyable, Sendable {
  /// The path as the user gave it, for messages and for printing paths.
  package let path: String
  let root: Folder
  let kind: StoreKind
  let options: StoreOptions
  /// Whether a person wants the bytes of models in backups, although they can be fetched again.
  package let isInBackups: Bool
  /// Held by all who change something in the store.
  let lock: FileLock

  /// Opens a store for changing it, making it where it is missing.
  ///
  /// Refuses a folder that holds something else, that others can write, or that belongs to somebody else, and a file
  /// system whose locks keep nobody out.
  /// - Parameters:
  ///   - path: The folder; links on the way to it are followed once. A new folder belongs to one user; an empty one
  ///     that is there makes a store for those whom its mode lets in.
  ///   - options: Who shares it, and with which locks.
  /// - Throws: ``StoreError`` or `SystemError`.
  package init(changing path: String, _ options: StoreOptions = StoreOptions()) throws {
    let root = try Folder(creating: path, mode: StoreKind.user.folder)
    if let group = options.sharedGroup { try Self.share(root, with: group) }
    let kind = try StoreKind(of: try root.status(), options, at: path)
    var format = try StoreFormat(of: root, at: path)
    if format == nil {
      format = StoreFormat()
      try format?.write(to: root, kind, at: path)
    }
    let lock = try Self.provenLock(in: root, kind, options, at: path)
    self.init(
      path: path,
      root: root,
      kind: kind,
      options: options,
      isInBackups: format?.isInBackups == true,
      lock: lock
    )
  }

  /// Opens a store for reading only; nil where there is none.
  ///
  /// Writes nothing and takes no lock, so it works on a read-only medium and for other users.
  package static func open(reading path: String) throws -> Store? {
    guard let found = try Folder.kind(at: path) else { return nil }
    guard found == .folder else { throw StoreError.notAStore(path: path, found: "no folder") }
    let root = try Folder(path: path)
    let format = try StoreFormat(of: root, at: path)
    let kind = StoreKind(rootMode: try root.status().mode)
    return Store(
      path: path,
      root: root,
      kind: kind,
      options: StoreOptions(),
      isInBackups: format?.isInBackups == true,
      lock: .absent()
    )
  }

  private init(
    path: String,
    root: consuming Folder,
    kind: StoreKind,
    options: StoreOptions,
    isInBackups: Bool,
    lock: consuming FileLock
  ) {
    self.path = path
    self.root = root
    self.kind = kind
    self.options = options
    self.isInBackups = isInBackups
    self.lock = lock
  }

  /// The models that have anything in the store, in the order of their names.
  package func modelNames() throws -> [ModelName] {
    guard try root.status(of: StoreLayout.models) != nil else { return [] }
    return try root.openFolder(StoreLayout.models).entries()
      .filter { $0.kind == .folder }
      .compactMap { try? ModelName(folderName: $0.name) }
      .sorted()
  }

  /// What kind of file system the store lies on.
  package func fileSystemKind() throws -> FileSystemKind { try root.fileSystemKind() }

  /// Gives a folder that is empty, and this user's, to the group; any other is left as it is, to be judged.
  private static func share(_ root: borrowing Folder, with group: UInt32) throws {
    guard try root.entries().isEmpty, try root.status().owner == FileStatus.currentUser
    else { return }
    try root.setGroup(group)
    try root.setMode(StoreKind.group.folder)
  }
}

extension Store {
  /// Takes the lock of the store, and proves with a second descriptor that locks keep others out here.
  private static func provenLock(
    in root: borrowing Folder,
    _ kind: StoreKind,
    _ options: StoreOptions,
    at path: String
  ) throws -> FileLock {
    guard options.locking == .kernel else { return .absent() }
    let (name, mode) = (StoreLayout.storeLock, kind.lockFile)
    do {
      guard let lock = try FileLock.take(name, in: root, .shared, mode: mode) else {
        throw StoreError.storeBusy(path: path)
      }
      if try FileLock.take(name, in: root, .exclusive, mode: mode) != nil {
        throw StoreError.uselessLocks(path: "\(path)/\(name)", reason: nil)
      }
      return lock
    } catch let error as SystemError {
      throw StoreError.lockFailure(error, at: "\(path)/\(name)", beneath: path)
    }
  }
}

extension StoreError {
  /// A lock that the file system refused is another matter than a lock file that could not be made.
  static func lockFailure(
    _ error: SystemError,
    at file: String,
    beneath path: String
  ) -> any Error {
    error.call == "flock"
      ? uselessLocks(path: file, reason: error.reason) as any Error : error.beneath(path)
  }
}
