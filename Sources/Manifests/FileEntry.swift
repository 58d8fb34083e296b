package import Digests

/// One file of a release.
package struct FileEntry: Hashable, Sendable {
  /// The largest size that every JSON reader keeps exactly: 2^53 - 1 bytes.
  package static let maximumSize = 1 << 53 - 1

  package let path: RelativePath
  package let size: Int
  package let sha256: SHA256Digest
  package let role: FileRole
  package let format: FormatFacts
  /// The chunks that cover the file, or nil when the file is verified only as a whole.
  ///
  /// The table of an empty file has no chunks; such a file may as well have no table.
  package let chunks: ChunkTable?
  /// What can load this file, beside what the release demands; any one is enough.
  package let runtimes: [RuntimeRequirement]
  /// Mirrors of this file alone, usually literal URLs.
  package let mirrors: [MirrorTemplate]
  /// Whether size and digest were measured, or declared without seeing the file.
  package let basis: Basis

  /// Takes facts as they are; `Release` checks them together.
  package init(
    path: RelativePath,
    size: Int,
    sha256: SHA256Digest,
    role: FileRole = .other,
    format: FormatFacts = FormatFacts(name: .other),
    chunks: ChunkTable? = nil,
    runtimes: [RuntimeRequirement] = [],
    mirrors: [MirrorTemplate] = [],
    basis: Basis = .measured
  ) {
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.role = role
    self.format = format
    self.chunks = chunks
    self.runtimes = runtimes
    self.mirrors = mirrors
    self.basis = basis
  }
}

extension FileEntry {
  /// Checks size and chunks; the rest is right by its types.
  func check() throws(ReleaseProblem) {
    guard (0...Self.maximumSize).contains(size) else {
      throw .badSize(file: path, size: size)
    }
    guard let chunks else { return }
    for (index, chunk) in chunks.chunks.enumerated() where chunk.length > ChunkLength.maximum {
      throw .badChunkLength(file: path, chunk: index, length: chunk.length)
    }
    guard chunks.size == size else {
      throw .chunksDiffer(file: path, size: size, covered: chunks.size)
    }
  }
}
