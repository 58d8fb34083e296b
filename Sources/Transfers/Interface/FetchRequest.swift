package import Digests

/// One file to fetch: what its bytes must be, and where mirrors may have it.
package struct FetchRequest: Hashable, Sendable {
  /// The name of the file in events and errors.
  package let label: String
  /// The name in the folder of parts; the engine works on `<name>.part` and `<name>.journal`.
  package let name: String
  /// The length in bytes.
  package let size: Int
  /// The SHA-256 of the whole file.
  package let digest: SHA256Digest
  /// The chunks that are verified one by one; nil for a file that is verified whole.
  package let chunks: ChunkTable?
  /// Where to ask, in the order of preference.
  package let sources: [FetchSource]
  /// Chunks of other files of this machine that should have the same bytes; they are verified before they count.
  ///
  /// The places of one chunk are tried in their order.
  package var localChunks: [LocalChunk] = []

  /// Describes a file; the lengths of `chunks` must sum to `size`.
  package init(
    label: String,
    name: String,
    size: Int,
    digest: SHA256Digest,
    chunks: ChunkTable?,
    sources: [FetchSource]
  ) {
    precondition(size >= 0 && (chunks == nil || chunks?.size == size), "the chunks make the file")
    self.label = label
    self.name = name
    self.size = size
    self.digest = digest
    self.chunks = chunks
    self.sources = sources
  }
}

extension FetchRequest {
  /// A file up to this length is verified in memory as one piece, even without chunk table.
  static let pieceLimit = 1 << 20

  /// The pieces that are verified one by one; nil for a file that is verified only at its end.
  package var table: ChunkTable? {
    if let chunks { return chunks }
    guard size <= Self.pieceLimit else { return nil }
    var table = ChunkTable()
    if size > 0 { table.append(length: size, digest: digest) }
    return table
  }

  /// Whether there is nothing smaller than the whole file that could be kept.
  var isSinglePiece: Bool { chunks.map { $0.chunks.count <= 1 } ?? (size <= Self.pieceLimit) }
}

/// A range of a file of this machine that should have the bytes of a chunk.
package struct LocalChunk: Hashable, Sendable {
  /// The index of the chunk in the request's table, 0 for a file without one.
  package let chunk: Int
  package let path: String
  package let offset: Int

  package init(chunk: Int, path: String, offset: Int) {
    self.chunk = chunk
    self.path = path
    self.offset = offset
  }
}

/// The place where one mirror may have one file.
package struct FetchSource: Hashable, Sendable {
  /// What tells this mirror from others in all files: its base URL or template, not its host alone.
  package let mirror: String
  /// The absolute URL, percent-encoded: `https`, `http` or `file`.
  package let url: String

  package init(mirror: String, url: String) {
    self.mirror = mirror
    self.url = url
  }
}
