/// Pseudo-random bytes without end, the same for the same seed, readable from any place.
///
/// Each block of 64 KiB is a piece of one random table, chosen by the block's number, under a random stamp of 32
/// bytes: blocks differ, and a byte costs no more than a copy, in debug builds too.
package struct SampleBytes: Hashable, Sendable {
  private static let blockSize = 1 << 16
  private static let tableSize = 1 << 17

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
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { bytes, filled in
      var place = range.lowerBound
      while place < range.upperBound {
        let start = place % Self.blockSize
        let count = min(Self.blockSize - start, range.upperBound - place)
        let part = place - range.lowerBound
        unsafe copyBlock(
          place / Self.blockSize,
          start,
          to: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(bytes)[part..<part + count]
          )
        )
        place += count
      }
      filled = range.count
    }
  }

  /// The first `count` bytes.
  package func prefix(_ count: Int) -> [UInt8] { self[0..<count] }

  /// Copies a part of a block, from `start`, stamp and all.
  private func copyBlock(_ number: Int, _ start: Int, to target: UnsafeMutableRawBufferPointer) {
    var random = SplitMix64(seed: seed ^ (UInt64(number) &* 0x9e37_79b9_7f4a_7c15))
    let piece = Int(random.next() % UInt64(Self.tableSize)) + start
    unsafe table.withUnsafeBytes { table in
      unsafe target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: table[piece..<piece + target.count])
      )
    }
    guard start < 32 else { return }
    let stamp = (0..<4).flatMap { _ in littleEndian(random.next()) }.dropFirst(start)
    unsafe target.copyBytes(from: stamp.prefix(target.count))
  }
}
