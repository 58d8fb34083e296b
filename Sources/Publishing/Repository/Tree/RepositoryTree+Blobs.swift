import Digests
package import Manifests
import SystemFiles

/// What copying the files of releases came to.
package struct CopiedBlobs: Hashable, Sendable {
  package var files = 0
  package var bytes = 0
  /// The files whose blobs were there with other bytes than their names say.
  package var replaced: [RelativePath] = []

  package init() {}
}

extension RepositoryTree {
  private static let blockSize = 1 << 20

  /// Copies the files of a release from the folder at `source` to where clients look for them by content.
  ///
  /// Each is hashed on the way, and comes to its place only if it is the one that the manifest names. Those that are there are
  /// hashed as well: what is right is left alone, what is not is replaced.
  /// - Throws: ``RepositoryProblem/noFile(_:folder:)``, ``RepositoryProblem/otherFile(_:expected:found:)``, `SystemError`
  ///   and `CancellationError`.
  package func copyBlobs(
    of release: Release,
    from source: String,
    into copied: inout CopiedBlobs,
    _ advance: (Int) -> Void
  ) throws {
    let origin = try Folder(path: source)
    let blobs = try folder.makeLastingFolders(["blobs", "sha256"], mode: 0o755)
    for file in release.files {
      let found = try blobState(of: file, isRead: true)
      if found == .right {
        advance(file.size)
        continue
      }
      try copy(file, from: origin, source, to: blobs, advance)
      copied.files += 1
      copied.bytes += file.size
      if found == .wrong { copied.replaced.append(file.path) }
    }
  }

  /// How the blob of a file stands in the tree.
  enum BlobState: Hashable {
    case absent, right
    /// It has another size, or, where it was read, other bytes.
    case wrong
  }

  /// Looks for the blob of a file; hashes it where `isRead` says so.
  func blobState(of file: FileEntry, isRead: Bool) throws -> BlobState {
    let place = RepositoryLayout.blobs + "/" + file.sha256.hex
    guard let status = try folder.status(of: place) else { return .absent }
    guard status.kind == .file, status.size == file.size else { return .wrong }
    guard isRead else { return .right }
    let digest = try SHA256Digest(reading: folder.openFile(place)) { _ in !Task.isCancelled }
    return digest == file.sha256 ? .right : .wrong
  }

  /// The files of a release that clients get from nowhere but the tree, and that are not in it.
  package func missingBlobs(of release: Release) throws -> [RelativePath] {
    try release.files.filter { file in
      try release.isServedHere(file) && blobState(of: file, isRead: false) == .absent
    }.map(\.path)
  }

  private func copy(
    _ entry: FileEntry,
    from origin: borrowing Folder,
    _ source: String,
    to blobs: borrowing Folder,
    _ advance: (Int) -> Void
  ) throws {
    let work = try openWork()
    let temporary = "blob.\(randomName())"
    do {
      let found = try fill(temporary, in: work, with: entry, from: origin, source, advance)
      guard found == entry.sha256 else {
        throw RepositoryProblem.otherFile(entry.path, expected: entry.sha256, found: found)
      }
      try work.rename(temporary, to: blobs, entry.sha256.hex)
      try blobs.sync()
    } catch {
      try? work.removeFile(temporary)
      throw error
    }
  }

  private func fill(
    _ name: String,
    in work: borrowing Folder,
    with entry: FileEntry,
    from origin: borrowing Folder,
    _ source: String,
    _ advance: (Int) -> Void
  ) throws -> SHA256Digest {
    let file = try Self.open(entry, in: origin, source)
    let copy = try work.createFile(name, mode: 0o644)
    let digest = try fill(copy, from: file, limit: entry.size, advance)
    try copy.sync()
    return digest
  }

  private static func open(
    _ entry: FileEntry,
    in folder: borrowing Folder,
    _ source: String
  ) throws -> OpenFile {
    do throws(SystemError) {
      return try folder.openFile(entry.path.text)
    } catch {
      throw error.isNotFound ? RepositoryProblem.noFile(entry.path, folder: source) : error
    }
  }

  private func fill(
    _ copy: borrowing OpenFile,
    from file: borrowing OpenFile,
    limit: Int,
    _ advance: (Int) -> Void
  ) throws -> SHA256Digest {
    try copy.preallocate(limit)
    file.expectSequentialReads()
    var hash = SHA256()
    var offset = 0
    while offset <= limit {
      try Task.checkCancellation()
      let block = try file.readBlock(count: Self.blockSize, at: offset)
      if block.isEmpty { break }
      hash.update(block.span)
      try copy.write(block.span, at: offset)
      offset += block.count
      advance(block.count)
    }
    return hash.finalize()
  }
}

extension Release {
  /// Whether no mirror of a file is certainly another place than the tree that lists the release.
  ///
  /// A tree does not know its URL. A mirror of the form that every repository has for its own blobs may be the tree itself.
  func isServedHere(_ file: FileEntry) -> Bool {
    let own = "/" + RepositoryLayout.blobs + "/{sha256}"
    return (mirrors + file.mirrors).allSatisfy {
      $0.text.utf8.suffix(own.utf8.count).elementsEqual(own.utf8)
    }
  }
}
