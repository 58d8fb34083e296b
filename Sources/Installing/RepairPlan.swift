import Digests
package import Manifests
package import ModelStore
import SystemFiles
import Transfers
import Trust

/// What a repair would do, and where the bytes would come from.
package struct RepairPlan: Sendable {
  /// A file that would be made anew.
  package struct File: Hashable, Sendable {
    package let path: RelativePath
    package let size: Int
    /// The bytes of chunks that are right in the file itself.
    package internal(set) var ownBytes = 0
    /// The bytes of chunks that other installed files have.
    package internal(set) var installedBytes = 0

    /// The bytes that only mirrors have.
    package var fetchedBytes: Int { size - ownBytes - installedBytes }
  }

  package let damage: Damage
  package let files: [File]
}

extension Installer {
  /// Says what ``repair(in:)`` would do; reads the version to the last byte, and changes nothing.
  package func repairPlan(in model: borrowing StoredModel) async throws -> RepairPlan {
    let name = VersionName(version: release.version, manifest: request.accepted.digest)
    let damage = try await damage(of: name, in: model, isKept: false)
    let entries = damage.indices.map { release.files[$0] }
    let places = localChunks(for: entries, damaged: name)
    let folder = model.filesPath(of: name)
    let files = try zip(entries, places).map { entry, places in
      try Self.source(of: entry, places, itself: "\(folder)/\(entry.path.text)")
    }
    return RepairPlan(damage: damage, files: files)
  }

  /// Sums up where the chunks of a file would be taken from, each at the first place where it is right.
  private static func source(
    of entry: FileEntry,
    _ places: [LocalChunk],
    itself: String
  ) throws -> RepairPlan.File {
    var file = RepairPlan.File(path: entry.path, size: entry.size)
    let chunks = entry.chunksToTake
    var found: Set<Int> = []
    for place in places where chunks.indices.contains(place.chunk) {
      try Task.checkCancellation()
      let chunk = chunks[place.chunk]
      guard !found.contains(place.chunk), holds(chunk, at: place) else { continue }
      found.insert(place.chunk)
      if place.path == itself {
        file.ownBytes += chunk.length
      } else {
        file.installedBytes += chunk.length
      }
    }
    return file
  }

  /// Whether the bytes at a place are those of the chunk; what cannot be read is not.
  private static func holds(_ chunk: Chunk, at place: LocalChunk) -> Bool {
    guard let file = try? OpenFile(readingPlainFile: place.path),
      let bytes = try? file.readBlock(count: chunk.length, at: place.offset)
    else { return false }
    return SHA256Digest(of: bytes) == chunk.digest
  }
}

extension FileEntry {
  /// The chunks that are taken one by one; none of a long file without chunk table, which is fetched whole.
  fileprivate var chunksToTake: [Chunk] {
    let request = FetchRequest(
      label: path.text,
      name: path.text,
      size: size,
      digest: sha256,
      chunks: chunks,
      sources: []
    )
    return request.table?.chunks ?? []
  }
}
