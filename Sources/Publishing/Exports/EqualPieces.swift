import Digests
package import Manifests
import SystemFiles

/// Pieces of equal length of the files of a release, as Metalink wants them.
///
/// The chunks of a manifest are such pieces where all of them but the last have one length. Those of other files, which
/// were cut at the edges of tensors, can only be hashed from the files themselves.
package struct EqualPieces: Equatable, Sendable {
  /// The pieces of one file.
  struct Row: Equatable {
    let length: Int
    let digests: [SHA256Digest]
  }

  /// How long pieces are of a file without chunks.
  private static let usualLength = 1 << 20

  private(set) var rows: [RelativePath: Row] = [:]

  /// Takes the chunks of a manifest where they are of one length.
  package init(_ release: Release) {
    for file in release.files { rows[file.path] = Self.row(of: file) }
  }

  /// The bytes that ``hash(_:in:report:)`` would read.
  package func missingBytes(of release: Release) -> Int {
    missing(of: release).reduce(0) { $0 + $1.size }
  }

  /// The files that have none.
  package func missing(of release: Release) -> [FileEntry] {
    release.files.filter { $0.size > 0 && rows[$0.path] == nil }
  }

  /// Hashes the pieces of all other files, from `folder`, and compares each file with the manifest.
  ///
  /// - Parameters:
  ///   - release: The release.
  ///   - folder: The path of a folder that holds its files.
  ///   - report: Called with the bytes of all files done; false stops the work.
  /// - Throws: ``PublishingError/otherBytes(_:expected:found:)``, `SystemError`, `DigestError`, `CancellationError`.
  package mutating func hash(
    _ release: Release,
    in folder: String,
    report: (Int) -> Bool
  ) throws {
    let root = try Folder(path: folder)
    var done = 0
    for file in missing(of: release) {
      let length = file.chunks?.chunks.map(\.length).max() ?? Self.usualLength
      let digests: FileDigests
      do {
        digests = try FileDigests(
          reading: try root.openFile(file.path.text),
          chunkLength: length,
          report: { report(done + $0) }
        )
      } catch DigestError.cancelled {
        throw CancellationError()
      }
      guard digests.whole == file.sha256 else {
        throw PublishingError.otherBytes(
          file.path,
          expected: file.sha256,
          found: digests.whole
        )
      }
      rows[file.path] = Row(length: length, digests: digests.chunks.chunks.map(\.digest))
      done += file.size
    }
  }

  private static func row(of file: FileEntry) -> Row? {
    guard let chunks = file.chunks?.chunks, let length = chunks.first?.length,
      chunks.dropLast().allSatisfy({ $0.length == length }),
      chunks.last.map({ $0.length <= length }) ?? false
    else { return nil }
    return Row(length: length, digests: chunks.map(\.digest))
  }
}
