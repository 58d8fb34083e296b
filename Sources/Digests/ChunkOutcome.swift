/// A chunk whose bytes are not those of the table.
package struct ChunkDifference: Hashable, Sendable {
  /// The place in the table.
  package let index: Int
  /// The digest of what was read; nil where the file ends before the chunk does.
  package let found: SHA256Digest?
}

/// What a check of chunks has found, and how far it came.
package struct ChunkOutcome: Hashable, Sendable {
  /// The chunks that were read, in the order in which they were asked for.
  package let read: [Int]
  /// Those of them that differ, in the order of the table.
  package let differences: [ChunkDifference]
  /// Whether `report` has ended the work before all were read.
  package let isStopped: Bool
}
