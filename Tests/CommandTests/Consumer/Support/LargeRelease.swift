import Digests
import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import TestSupport

/// A release of one file that is too large for the memory of the tests, on disk as a mirror serves it.
struct LargeRelease: Sendable {
  static let file = "weights.bin"
  /// The folder that a mirror serves.
  let folder: String
  let manifest: String
  let chunkLength: Int
  private let version: String
  private let digests: FileDigests

  /// Writes the file and its manifest into the folder of `home`.
  ///
  /// `change` may alter the file before it is hashed. A file with `holes` has one block of bytes at each end.
  init(
    _ size: Int,
    version: String,
    chunkLength: Int = 1 << 20,
    seed: UInt64 = 1,
    hasHoles: Bool = false,
    at home: ConsumerHome,
    change: (FileHandle) throws -> Void = { _ in }
  ) throws {
    self.version = version
    self.chunkLength = chunkLength
    folder = "\(home.folder)/served-\(version)"
    _ = try Folder(creating: folder, mode: 0o755)
    let path = "\(folder)/\(Self.file)"
    try SampleBytes(seed: seed).write(hasHoles ? min(size, 100_000) : size, to: path)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    if hasHoles {
      try file.truncate(atOffset: UInt64(size))
      try file.seek(toOffset: UInt64(size - 1))
      try file.write(contentsOf: Data([1]))
    }
    try change(file)
    try file.close()
    digests = try FileDigests(
      reading: OpenFile(reading: path),
      chunkLength: chunkLength
    ) { _ in true }
    let entry = FileEntry(
      path: try RelativePath(Self.file),
      size: size,
      sha256: digests.whole,
      chunks: digests.chunks
    )
    let release = try Release(
      model: ModelName("acme/tiny"),
      version: Version(version),
      released: Timestamp("2026-01-01T00:00:00Z"),
      files: [entry]
    )
    manifest = try home.write(
      try Envelope(release: release).signed(by: [home.signer]).encode(),
      to: "\(version).json"
    )
  }

  var size: Int { digests.size }

  /// The ranges of chunks that are right in the store, and with them not to be fetched again.
  func heldChunks(in oracle: StoreOracle) throws -> [Range<Int>] {
    guard let path = places(in: oracle).first(where: FileManager.default.fileExists) else {
      return []
    }
    let part = try OpenFile(reading: path)
    return try digests.chunks.chunks.filter { chunk in
      let bytes = try part.readBlock(count: chunk.length, at: chunk.offset)
      return SHA256Digest(of: bytes) == chunk.digest
    }.map(\.range)
  }

  /// Where the file may lie: as a part, in the tree of its candidate, or in a version.
  private func places(in oracle: StoreOracle) -> [String] {
    let candidates = oracle.candidates.map { "\(oracle.folder)/staging/\($0)" }
    let versions = oracle.names(in: "versions").filter { $0.hasPrefix("\(version)-") }
    return candidates.flatMap { ["\($0)/parts/0.part", "\($0)/tree/files/\(Self.file)"] }
      + versions.map { "\(oracle.folder)/versions/\($0)/files/\(Self.file)" }
  }
}
