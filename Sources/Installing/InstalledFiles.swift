import Digests
package import Manifests
import ModelStore
import SystemFiles
import Transfers
package import Trust

/// The files of all versions in a store, as places where chunks may be found that need not be fetched.
///
/// A version whose manifest today's trust does not accept is left out, and so is what cannot be read: this saves
/// bytes and decides nothing. What is taken is verified like what a mirror sends.
package struct InstalledFiles: Sendable {
  private let store: String
  private let policy: TrustPolicy
  private let now: Timestamp

  package init(store: String, policy: TrustPolicy, now: Timestamp) {
    self.store = store
    self.policy = policy
    self.now = now
  }

  /// The chunks of each of these files that some version should have too, in the order of `files`.
  ///
  /// Looks at the versions of `model` first, and at no more than it takes.
  func chunks(for files: [FileEntry], of model: ModelName) -> [[LocalChunk]] {
    var wanted = files.enumerated().reduce(into: [Piece: [Place]]()) { wanted, file in
      for (chunk, piece) in file.element.pieces.enumerated() {
        wanted[piece.value, default: []].append(Place(file: file.offset, chunk: chunk))
      }
    }
    var found = Array(repeating: [LocalChunk](), count: files.count)
    forEachFile(first: model) { file, path in
      for piece in file.pieces {
        guard let places = wanted.removeValue(forKey: piece.value) else { continue }
        for place in places {
          found[place.file].append(
            LocalChunk(chunk: place.chunk, path: path, offset: piece.offset)
          )
        }
      }
      return !wanted.isEmpty
    }
    return found
  }

  /// Names every file of every version until `body` says no.
  private func forEachFile(first: ModelName, _ body: (FileEntry, _ path: String) -> Bool) {
    do {
      guard let store = try Store.open(reading: store) else { return }
      let names = try store.modelNames()
      for name in names.filter({ $0 == first }) + names.filter({ $0 != first }) {
        guard forEachFile(of: name, in: store, body) else { return }
      }
    } catch {
      // What cannot be read has nothing to give.
    }
  }

  private func forEachFile(
    of name: ModelName,
    in store: borrowing Store,
    _ body: (FileEntry, _ path: String) -> Bool
  ) -> Bool {
    do {
      let model = try store.model(name)
      for version in try model.versionNames() {
        guard let release = release(of: version, in: model) else { continue }
        for file in release.files {
          let path = "\(model.filesPath(of: version))/\(file.path.text)"
          guard body(file, path) else { return false }
        }
      }
    } catch {
      // One model that cannot be read says nothing of the others.
    }
    return true
  }

  /// The release of a version; nil if it cannot be read, or is not trusted any more.
  private func release(of version: VersionName, in model: borrowing StoredModel) -> Release? {
    do {
      let (envelope, acceptedAt) = try model.manifest(of: version)
      return try policy.accept(envelope, at: acceptedAt ?? now).release
    } catch {
      return nil
    }
  }

  fileprivate struct Piece: Hashable {
    let digest: SHA256Digest
    let length: Int
  }

  private struct Place {
    let file: Int
    let chunk: Int
  }
}

extension FileEntry {
  /// What is verified of the file, and where it is in it.
  fileprivate var pieces: [(value: InstalledFiles.Piece, offset: Int)] {
    guard let chunks else { return [(InstalledFiles.Piece(digest: sha256, length: size), 0)] }
    return chunks.chunks.map {
      (InstalledFiles.Piece(digest: $0.digest, length: $0.length), $0.offset)
    }
  }
}
