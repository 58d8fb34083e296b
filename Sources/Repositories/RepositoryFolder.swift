package import Manifests
package import SystemFiles
package import Trust

/// The folder in which a client keeps what it knows of one repository.
///
///     <folder>/
///       root.json timestamp.json snapshot.json targets.json    the files that were received, byte for byte
///       <role>.json               a delegated role, its name percent-encoded
///       roots/<version>.root.json every root after the pinned one
///       documents/<path>          targets, verified, the whole path percent-encoded into one name
///       accepted/<name>           what the caller has accepted of the repository's documents
///       update.lock               never removed
///       .new-<32 digits>          a file that is being written, or that a killed process has left
///
/// Nothing in it is trusted because it lies there: each run begins at the pinned root and verifies again. A link in the
/// place of a file is as good as absent, and replaced; what else is in the way, such as a folder, ends the run.
package final class RepositoryFolder: Sendable {
  /// The permission bits of what is made.
  package struct Modes: Hashable, Sendable {
    package var folder: UInt32 = 0o700
    package var file: UInt32 = 0o600
    /// Whoever may read a lock file can lock it, and so keep its owner out.
    package var lockFile: UInt32 = 0o600

    package init() {}

    package init(folder: UInt32, file: UInt32, lockFile: UInt32) {
      (self.folder, self.file, self.lockFile) = (folder, file, lockFile)
    }
  }

  private static let roots = "roots"
  private static let documents = "documents"
  private static let accepted = "accepted"
  private static let lockFile = "update.lock"
  private static let temporaryPrefix = ".new-"

  private let folder: Folder
  /// Where targets are kept instead of `documents`.
  private let documents: Folder?
  private let modes: Modes

  /// Takes an open folder, and another one for the targets if they are not to be kept in the same.
  package init(
    _ folder: consuming Folder,
    documents: consuming Folder? = nil,
    modes: Modes = Modes()
  ) {
    self.folder = folder
    self.documents = documents
    self.modes = modes
  }

  /// Keeps other processes out until the value ends; nil if `goesOn` says no while it waits.
  ///
  /// Takes away what killed processes have left, once the lock is held. Goes on without a lock where the file system has
  /// none, and then takes nothing away: files are replaced at one instant each, and verified when they are read.
  package func lock(while goesOn: () -> Bool) throws -> FileLock? {
    let taken: FileLock?
    do {
      taken = try FileLock.wait(
        for: Self.lockFile,
        in: folder,
        .exclusive,
        mode: modes.lockFile,
        while: goesOn
      )
    } catch {
      guard error.isWithoutLocks else { throw error }
      // What looks left over may be what another process is writing.
      return .absent()
    }
    guard let lock = taken else { return nil }
    try removeLeftovers(in: folder)
    for name in [Self.roots, Self.documents, Self.accepted] {
      if let inner = try folder.openFolderIfPresent(name) { try removeLeftovers(in: inner) }
    }
    return lock
  }

  /// When a timestamp was last kept, by the clock of that moment; nil if none was.
  package func keptTime() throws(SystemError) -> Timestamp? {
    guard let status = try folder.status(of: RoleName.timestamp.fileName) else { return nil }
    return Timestamp(seconds: Int64(status.modifiedAt / 1_000_000_000))
  }

  private func removeLeftovers(in folder: borrowing Folder) throws(SystemError) {
    for entry in try folder.entries()
    where entry.name.utf8.starts(with: Self.temporaryPrefix.utf8) && entry.kind == .file {
      try folder.removeFile(entry.name)
    }
  }
}

extension RepositoryFolder {
  /// Keeps a document that the caller has accepted by rules of its own; only under the lock.
  func keepAccepted(_ bytes: [UInt8], as name: String) throws(SystemError) {
    let accepted = try folder.makeFolder(Self.accepted, mode: modes.folder)
    try replace(name, in: accepted, bytes)
  }

  /// A document that was accepted before; nil for none.
  package func accepted(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
    try folder.ownFile("\(Self.accepted)/\(name)", limit: limit)
  }
}

// What is kept from one run to the next.
extension RepositoryFolder {
  /// What was kept of the roots after the pin and of the other top-level roles.
  func stored(pin: [UInt8]) throws -> StoredMetadata {
    var stored = try keptRoots(pin: pin)
    stored.timestamp = try bytes(of: .timestamp)
    stored.snapshot = try bytes(of: .snapshot)
    stored.targets = try bytes(of: .targets)
    return stored
  }

  /// The pin and the roots after it.
  func keptRoots(pin: [UInt8]) throws -> StoredMetadata {
    StoredMetadata(pin: pin, chain: try chain(after: pin))
  }

  /// The roots that follow the pinned one without a gap; none if that cannot be read, which the rules will say.
  private func chain(after pin: [UInt8]) throws -> [[UInt8]] {
    let limit = MetadataLimits.standard.root
    guard var version = rootVersion(of: pin, limit: limit),
      let roots = try folder.openFolderIfPresent(Self.roots)
    else { return [] }
    var chain: [[UInt8]] = []
    while version < Int.max {
      version += 1
      guard let bytes = try roots.ownFile(RoleName.root.requestName(version: version), limit: limit)
      else { break }
      chain.append(bytes)
    }
    return chain
  }

  /// The bytes of a role that were kept; nil for none.
  package func bytes(of role: RoleName) throws -> [UInt8]? {
    try folder.ownFile(role.fileName, limit: MetadataLimits.standard.targets)
  }

  /// Keeps a file that passed all its checks; it is durable when this returns.
  func keep(_ metadata: KeptMetadata) throws {
    if metadata.role == .root {
      let roots = try folder.makeFolder(Self.roots, mode: modes.folder)
      try replace(metadata.role.requestName(version: metadata.version), in: roots, metadata.bytes)
    }
    try replace(metadata.role.fileName, in: folder, metadata.bytes)
  }

  /// Keeps the root that is trusted now where people look for it.
  func keepCurrentRoot(_ bytes: [UInt8]) throws {
    try replace(RoleName.root.fileName, in: folder, bytes)
  }

  /// The bytes under which a target was kept, which need not be those that are wanted now.
  func document(_ path: TargetPath, limit: Int) throws -> [UInt8]? {
    switch documents {
    case .some(let folder): try folder.ownFile(path.fileName, limit: limit)
    case .none: try folder.ownFile("\(Self.documents)/\(path.fileName)", limit: limit)
    }
  }

  /// Keeps the bytes of a target, which were verified.
  func keep(_ document: [UInt8], of path: TargetPath) throws {
    switch documents {
    case .some(let folder):
      // Others may keep targets of other repositories in the same folder.
      let place = try folder.openFolder(".")
      if try place.lock() { try removeLeftovers(in: place) }
      try replace(path.fileName, in: place, document)
    case .none:
      // The lock of the whole folder is held. A lock of this one would be open to everyone who may read it.
      let place = try folder.makeFolder(Self.documents, mode: modes.folder)
      try replace(path.fileName, in: place, document)
    }
  }

  private func replace(
    _ name: String,
    in folder: borrowing Folder,
    _ bytes: [UInt8]
  ) throws(SystemError) {
    let temporary = Self.temporaryPrefix + randomName()
    try folder.replaceFile(name, with: bytes, mode: modes.file, through: temporary)
  }
}

extension Folder {
  /// Reads a plain file; nil for what is missing, too long, a link or no file.
  fileprivate func ownFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    do {
      return try readFile(path, limit: limit)
    } catch {
      guard error.isNotFound || error.isEscape || error.isNoFile || error.isTooLarge else {
        throw error
      }
      return nil
    }
  }
}

/// The version of a root that nobody has verified yet.
private func rootVersion(of bytes: [UInt8], limit: Int) -> Int? {
  do {
    return try SignedRoot(parsing: bytes, as: .root, limit: limit).contents.header.version
  } catch {
    return nil
  }
}
