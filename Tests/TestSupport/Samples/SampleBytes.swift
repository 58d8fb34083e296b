import Glibc

/// Pseudo-random bytes without end, the same for the same seed, readable from any place.
///
/// Each block of 64 KiB is a piece of one random table, chosen by the block's number, under a random stamp of 32
/// bytes: blocks differ, and a byte costs no more than a copy, in debug builds too.
package struct SampleBytes: Hashable, Sendable {
  private static let blockSize = 1 << 16
  private static let tableSize = 1 << 20

  private let seed: UInt64
  private let table: [UInt8]

  package init(seed: UInt64 = 1) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let count = Self.tableSize + Self.blockSize
    table = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      let words = UnsafeMutableRawBufferPointer(bytes)
      for offset in stride(from: 0, to: count, by: 8) {
        unsafe words.storeBytes(
          of: random.next().littleEndian,
          toByteOffset: offset,
          as: UInt64.self
        )
      }
      filled = count
    }
  }

  /// The bytes at these places.
  package subscript(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let block = self.block(place / Self.blockSize)
      let start = place % Self.blockSize
      let end = min(Self.blockSize, start + range.upperBound - place)
      bytes += block[start..<end]
      place += end - start
    }
    return bytes
  }

  /// The first `count` bytes.
  package func prefix(_ count: Int) -> [UInt8] { self[0..<count] }

  private func block(_ number: Int) -> [UInt8] {
    var random = SplitMix64(seed: seed ^ (UInt64(number) &* 0x9e37_79b9_7f4a_7c15))
    let start = Int(random.next() % UInt64(Self.tableSize))
    var block = Array(table[start..<start + Self.blockSize])
    for (index, byte) in (0..<4).flatMap({ _ in littleEndian(random.next()) }).enumerated() {
      block[index] = byte
    }
    return block
  }
}
