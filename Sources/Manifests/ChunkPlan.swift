/// Where a file is cut into chunks: at places that its format gives, else at equal distances.
///
/// From the first edge on, the cuts depend only on how far the edges are from each other. So a change of
/// the bytes before it, such as a longer chat template before the tensors, leaves the chunks behind it
/// as they are. A file that fits into one chunk is one.
package struct ChunkPlan: Hashable, Sendable {
  /// The length of each chunk, in order.
  package let lengths: [Int]

  /// Plans the chunks of a file of `size` bytes.
  ///
  /// - Parameters:
  ///   - size: The size of the file.
  ///   - length: The most bytes of a chunk.
  ///   - edges: Where chunks should begin, ascending. The first is always an end; of the others, the last
  ///     one that makes a chunk of at least half of `length`.
  package init(size: Int, length: Int, edges: [Int] = []) {
    precondition(length > 0, "a chunk has bytes")
    guard size > length else {
      lengths = size > 0 ? [size] : []
      return
    }
    var lengths: [Int] = []
    var start = 0
    var rest = edges[...].drop { $0 <= 0 }
    let first = rest.first ?? size
    while start < size {
      var end = min(start + length, size)
      rest = rest.drop { $0 <= start }
      if start < first, first <= end {
        end = first
      } else if end < size {
        let least = start + length / 2
        let last = rest.prefix { $0 <= end }.last
        if let last, last >= least { end = last }
      }
      lengths.append(end - start)
      start = end
    }
    self.lengths = lengths
  }

  /// Plans the chunks of all files of a release: of 1 MiB at most, doubled until there are no more than
  /// a release should have, and of 16 MiB at most.
  package static func plans(for files: [(size: Int, edges: [Int])]) -> [ChunkPlan] {
    var length = ChunkLength.default(forSizes: files.map(\.size))
    while true {
      let plans = files.map { ChunkPlan(size: $0.size, length: length, edges: $0.edges) }
      let count = plans.reduce(0) { $0 + $1.lengths.count }
      if count <= ChunkLength.usualCount || length >= ChunkLength.maximum { return plans }
      length *= 2
    }
  }
}
