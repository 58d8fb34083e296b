/// A run of bytes of a file with its own SHA-256: the unit of verification and of fetching again.
package struct Chunk: Hashable, Sendable {
  /// The place of the first byte in the file.
  package let offset: Int
  /// The number of bytes, at least 1.
  package let length: Int
  package let digest: SHA256Digest

  /// The bytes of the file that belong to the chunk.
  package var range: Range<Int> { offset..<offset + length }
}

/// The chunks of one file in order, without gaps, from its first byte to its last.
package struct ChunkTable: Hashable, Sendable {
  package private(set) var chunks: [Chunk] = []

  /// The table of an empty file.
  package init() {}

  /// The number of bytes that the chunks cover: the size of the file.
  package var size: Int { chunks.last.map { $0.offset + $0.length } ?? 0 }

  /// Adds the next chunk, of `length` bytes.
  ///
  /// The length must be positive and the sum of all lengths an `Int`; who reads foreign tables checks that first.
  package mutating func append(length: Int, digest: SHA256Digest) {
    precondition(length > 0, "a chunk has bytes")
    chunks.append(Chunk(offset: size, length: length, digest: digest))
  }
}
