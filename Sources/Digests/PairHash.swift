/// Hashes two messages side by side where that is faster than one after the other.
///
/// For bytes that come as they come: two that wait are soon there, sixteen are not.
package struct PairHash: Sendable {
  /// The way for this machine, tried and timed at first use within a few milliseconds.
  package static let forThisMachine = PairHash(
    HashChoice(among: [.sha, .libcrypto].filter(\.isAvailable))
  )

  private let compression: LaneCompression?

  /// Goes the way of `choice` if it has two lanes, else one message after the other.
  package init(_ choice: HashChoice) {
    compression = choice.path.compression.flatMap { $0.count == 2 ? $0 : nil }
  }

  /// Whether two at a time cost less than one and then the other.
  package var isFaster: Bool { compression != nil }

  /// The digests of both; messages of different lengths are hashed one by one.
  package func digests(
    _ first: Span<UInt8>,
    _ second: Span<UInt8>
  ) -> (SHA256Digest, SHA256Digest) {
    guard let compression, first.count == second.count else {
      return (single(first), single(second))
    }
    var hashes = HashLanes(compression)
    let blocks = first.count / HashLanes.blockSize
    hashes.update(first, second, blocks: blocks)
    let whole = blocks * HashLanes.blockSize
    // Room for what is left of each, and for its padding.
    let stride = HashLanes.blockSize + LanePadding.mostBytes + HashLanes.blockSize
    var tails = [UInt8](repeating: 0, count: 2 * stride)
    for place in whole..<first.count {
      tails[place - whole] = first[place]
      tails[stride + place - whole] = second[place]
    }
    var end = 0
    for start in [0, stride] {
      end = LanePadding.add(
        to: &tails,
        start: start,
        end: start + first.count - whole,
        length: first.count
      )
    }
    hashes.update(tails, starts: [0, stride], blocks: (end - stride) / HashLanes.blockSize)
    return (hashes.digest(of: 0), hashes.digest(of: 1))
  }

  private func single(_ bytes: Span<UInt8>) -> SHA256Digest {
    var hasher = SHA256()
    hasher.update(bytes)
    return hasher.finalize()
  }
}
