/// How long chunks are.
package enum ChunkLength {
  /// 16 MiB: no chunk is longer, so that a reader can hold one in memory.
  package static let maximum = 16 << 20
  /// The most chunks that a release may have.
  package static let maximumCount = 131_072
  /// 1 MiB: chunks of the usual release are this long.
  private static let smallest = 1 << 20
  /// The most chunks that a release should have.
  static let usualCount = 16_384

  /// Returns the chunk length for a release of files of these sizes.
  ///
  /// That is 1 MiB, doubled until the release has at most 16,384 chunks, and 16 MiB at most.
  package static func `default`(forSizes sizes: [Int]) -> Int {
    var length = smallest
    while length < maximum, count(ofLength: length, in: sizes) > usualCount { length *= 2 }
    return length
  }

  /// Counts the chunks of all files; stops counting where it would overflow.
  private static func count(ofLength length: Int, in sizes: [Int]) -> Int {
    var count = 0
    for size in sizes where size > 0 {
      let (sum, overflowed) = count.addingReportingOverflow((size - 1) / length + 1)
      guard !overflowed else { return .max }
      count = sum
    }
    return count
  }
}
