/// The places of a file where a chunk should begin, so that a change before one of them does not move
/// the chunks behind it.
package struct TensorEdges: Equatable, Sendable {
  /// Ascending, without repetition, each between the start and the end of the file.
  package private(set) var offsets: [Int] = []

  package init() {}

  /// Adds an edge; one that is not behind the last is left out.
  mutating func append(_ offset: Int) {
    guard offset > offsets.last ?? 0 else { return }
    offsets.append(offset)
  }
}
