/// Several SHA-256 computations (FIPS 180-4) that go forward side by side, a lane each.
///
/// Takes whole blocks only; ``LanePadding`` makes the last ones of a message.
struct HashLanes {
  /// The bytes of a block of SHA-256.
  static let blockSize = 64

  private static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  private let compression: LaneCompression
  /// The word `w` of lane `l` stands at `w * count + l`.
  private var state: [UInt32]

  init(_ compression: LaneCompression) {
    self.compression = compression
    state = Self.initialState.flatMap { [UInt32](repeating: $0, count: compression.count) }
  }

  var count: Int { compression.count }

  /// Begins a new message in the lane.
  mutating func restart(_ lane: Int) {
    for word in 0..<8 { state[word * count + lane] = Self.initialState[word] }
  }

  /// Takes `blocks` blocks of every lane: those of lane `l` begin at `starts[l]` of `bytes`.
  mutating func update(_ bytes: [UInt8], starts: [Int], blocks: Int) {
    compression.apply(to: &state, bytes, starts: starts, blocks: blocks)
  }

  /// Takes `blocks` blocks from the start of each of two messages; for two lanes.
  mutating func update(_ first: Span<UInt8>, _ second: Span<UInt8>, blocks: Int) {
    compression.apply(to: &state, first, second, blocks: blocks)
  }

  /// The digest of what the lane has taken, when its last block was a padded one.
  func digest(of lane: Int) -> SHA256Digest {
    SHA256Digest(
      checked: (0..<8).flatMap { word in
        let value = state[word * count + lane]
        return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
      }
    )
  }
}

/// The end of a message as SHA-256 hashes it: a bit, zeros, and the length (FIPS 180-4, section 5.1.1).
enum LanePadding {
  /// The most bytes that padding adds.
  static let mostBytes = HashLanes.blockSize + 8

  /// Writes the padding of a message of `length` bytes at `end`, behind its last byte, and returns where it ends.
  ///
  /// A block begins at `start`.
  static func add(to bytes: inout [UInt8], start: Int, end: Int, length: Int) -> Int {
    let padded = range(of: start..<end).upperBound
    bytes[end] = 0x80
    for place in end + 1..<padded - 8 { bytes[place] = 0 }
    let bits = UInt64(length) * 8
    for place in 0..<8 {
      bytes[padded - 8 + place] = UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(place)))
    }
    return padded
  }

  /// Where a message with its padding stands, of which the bytes stand at `place`.
  static func range(of place: Range<Int>) -> Range<Int> {
    let blocks = (place.count + 1 + 8 + HashLanes.blockSize - 1) / HashLanes.blockSize
    return place.lowerBound..<place.lowerBound + blocks * HashLanes.blockSize
  }
}
