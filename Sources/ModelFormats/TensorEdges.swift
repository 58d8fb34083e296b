/// The places of a file where a chunk should begin, so that a change before one of them does not move
/// the chunks behind it.
package struct TensorEdges: Equatable, Sendable {
  /// Edges that are closer to each other are one: chunks are longer, and a header may have a million
  /// tensors.
  private static let leastDistance = 1 << 16

  /// Ascending, each at least 64 KiB behind the one before.
  package private(set) var offsets: [Int] = []

  package init() {}

  /// Adds an edge; the first always counts, others only at a distance.
  mutating func append(_ offset: Int) {
    if let last = offsets.last, offset - last < Self.leastDistance { return }
    offsets.append(offset)
  }
}
