import Digests
package import Manifests

/// What an update from one release to another changes, and what it costs.
///
/// A value of what two manifests say; it verifies nothing.
package struct ReleaseDifference: Equatable, Sendable {
  /// What became of one file.
  package struct File: Equatable, Sendable {
    /// The kind of change, in the words of the output.
    package enum Change: String, Sendable {
      case added, removed
      /// The same path has other bytes.
      case changed
      /// The same bytes have another path.
      case renamed
      /// The same path has the same bytes, and the manifest says something else of them.
      case restated
    }

    package let change: Change
    package let old: FileEntry?
    package let new: FileEntry?
    /// The bytes of the new file that are in no chunk of the old release.
    package let neededBytes: Int
  }

  /// A fact of the manifest that differs: what it said before, and what it says now.
  package struct Fact: Equatable, Sendable {
    /// One thing that is said.
    package struct Value: Equatable, Sendable {
      /// What is compared; texts of the same look differ here.
      let bytes: [UInt8]
      /// What is shown: without what may be secret in a URL.
      package let text: String

      init(_ text: String, shown: String? = nil) {
        bytes = Array(text.utf8)
        self.text = shown ?? text
      }
    }

    package let name: String
    let old: [Value]
    let new: [Value]

    /// What is said no more.
    package var removed: [String] { old.filter { !new.contains($0) }.map(\.text) }
    /// What is said newly.
    package var added: [String] { new.filter { !old.contains($0) }.map(\.text) }
    /// Whether the same is said in another order, or more or less often.
    package var isReordered: Bool { removed.isEmpty && added.isEmpty }
  }

  /// In the order of their paths, the new one where there are two.
  package let files: [File]
  package let facts: [Fact]
  /// The bytes that a client with the old release has to fetch.
  package let neededBytes: Int
  /// The bytes of the new release.
  package let size: Int

  /// Compares what two manifests say of their releases.
  package init(from old: Release, to new: Release) {
    files = Self.files(from: old, to: new)
    facts = ReleaseFacts(old).differences(to: ReleaseFacts(new))
    let held = PieceSet(of: old)
    neededBytes = new.files.reduce(0) { $0 + held.missingBytes(of: $1) }
    size = new.size
  }

  package var isEmpty: Bool { files.isEmpty && facts.isEmpty }

  private static func files(from old: Release, to new: Release) -> [File] {
    let held = PieceSet(of: old)
    let before = Dictionary(uniqueKeysWithValues: old.files.map { ($0.path, $0) })
    let after = Set(new.files.map(\.path))
    // From the last path to the first, so that the first is taken first.
    var gone: [Piece: [FileEntry]] = [:]
    for file in old.files.reversed() where !after.contains(file.path) {
      gone[file.whole, default: []].append(file)
    }
    var files: [File] = []
    for file in new.files {
      let there = before[file.path]
      guard there != file else { continue }
      let source = there ?? gone[file.whole]?.popLast()
      let change: File.Change =
        if let there {
          there.whole == file.whole ? .restated : .changed
        } else {
          source == nil ? .added : .renamed
        }
      let needed = held.missingBytes(of: file)
      files.append(File(change: change, old: source, new: file, neededBytes: needed))
    }
    for file in gone.values.joined() {
      files.append(File(change: .removed, old: file, new: nil, neededBytes: 0))
    }
    return files.sorted { $0.path < $1.path }
  }
}

extension ReleaseDifference.File {
  /// The path by which the change is known: the new one, unless the file is gone.
  package var path: RelativePath {
    guard let path = new?.path ?? old?.path else { preconditionFailure("a change has a file") }
    return path
  }
}

/// A run of bytes that is fixed by its digest.
private struct Piece: Hashable {
  let digest: SHA256Digest
  let length: Int
}

extension FileEntry {
  fileprivate var whole: Piece { Piece(digest: sha256, length: size) }

  /// The parts in which a client looks for the bytes among what it has: chunks, or the file where it has no table.
  fileprivate var pieces: [Piece] {
    chunks.map { $0.chunks.map { Piece(digest: $0.digest, length: $0.length) } } ?? [whole]
  }
}

/// What a client with a release need not fetch.
private struct PieceSet {
  private let pieces: Set<Piece>

  init(of release: Release) { pieces = Set(release.files.flatMap(\.pieces)) }

  func missingBytes(of file: FileEntry) -> Int {
    file.pieces.reduce(0) { pieces.contains($1) ? $0 : $0 + $1.length }
  }
}
