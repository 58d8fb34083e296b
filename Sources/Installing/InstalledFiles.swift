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
  /// How many places of a chunk are named where the first of them may be wrong.
  private static let placesWhereDamaged = 4

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
  /// Looks at the versions of `model` first, at `damaged` before all others, and at no more than it takes. Since that
  /// one has some of its chunks wrong, up to ``placesWhereDamaged`` places of each chunk are named with it, and else one.
  func chunks(
    for files: [FileEntry],
    of model: ModelName,
    damaged: VersionName? = nil
  ) -> [[LocalChunk]] {
    var wanted = files.enumerated().reduce(into: [Piece: Want]()) { wanted, file in
      for (chunk, piece) in file.element.pieces.enumerated() {
        let place = Place(file: file.offset, chunk: chunk)
        wanted[piece.value, default: Want()].places.append(place)
      }
    }
    let most = damaged == nil ? 1 : Self.placesWhereDamaged
    var found = Array(repeating: [LocalChunk](), count: files.count)
    forEachFile(first: model, damaged) { file, path in
      for piece in file.pieces {
        guard var want = wanted[piece.value] else { continue }
        for place in want.places {
          found[place.file].append(
            LocalChunk(chunk: place.chunk, path: path, offset: piece.offset)
          )
        }
        want.found += 1
        wanted[piece.value] = want.found < most ? want : nil
      }
      return !wanted.isEmpty
    }
    return found
  }

  /// Names every file of every version until `body` says no.
  private func forEachFile(
    first: ModelName,
    _ version: VersionName?,
    _ body: (FileEntry, _ path: String) -> Bool
  ) {
    do {
      guard let store = try Store.open(reading: store) else { return }
      let names = try store.modelNames()
      for name in names.filter({ $0 == first }) + names.filter({ $0 != first }) {
        guard forEachFile(of: name, in: store, first: version, body) else { return }
      }
    } catch {
      // What cannot be read has nothing to give.
    }
  }

  private func forEachFile(
    of name: ModelName,
    in store: borrowing Store,
    first: VersionName?,
    _ body: (FileEntry, _ path: String) -> Bool
  ) -> Bool {
    do {
      let model = try store.model(name)
      let versions = try model.versionNames()
      for version in versions.filter({ $0 == first }) + versions.filter({ $0 != first }) {
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

  /// Where a piece is needed, and in how many places it was found.
  private struct Want {
    var places: [Place] = []
    var found = 0
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
