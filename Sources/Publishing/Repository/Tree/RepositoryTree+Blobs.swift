import Digests
package import Manifests
import SystemFiles

extension RepositoryTree {
  private static let blockSize = 1 << 20

  /// Copies the files of a release from the folder at `source` to where clients look for them by content.
  ///
  /// Each is hashed on the way, and comes to its place only if it is the one that the manifest names; those that are there
  /// are left alone.
  /// - Returns: How many were copied, and their bytes.
  /// - Throws: ``RepositoryProblem/noFile(_:folder:)``, ``RepositoryProblem/otherFile(_:expected:found:)``, `SystemError`
  ///   and `CancellationError`.
  package func copyBlobs(
    of release: Release,
    from source: String,
    _ advance: (Int) -> Void
  ) throws -> (files: Int, bytes: Int) {
    let origin = try Folder(path: source)
    let blobs = try folder.makeLastingFolders(["blobs", "sha256"], mode: 0o755)
    var copied = (files: 0, bytes: 0)
    for file in release.files {
      if try blobs.status(of: file.sha256.hex)?.size == file.size {
        advance(file.size)
        continue
      }
      try copy(file, from: origin, source, to: blobs, advance)
      copied = (copied.files + 1, copied.bytes + file.size)
    }
    return copied
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
