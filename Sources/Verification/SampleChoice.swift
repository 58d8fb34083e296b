/// Chooses the chunks of a file that are read: with its ends, or all by chance.
package struct SampleChoice: Hashable, Sendable {
  private let count: Int
  private let seed: UInt64
  private let takesEnds: Bool

  /// - Parameters:
  ///   - count: The chunks of each file, at least 1.
  ///   - seed: With the same seed the same chunks are chosen.
  ///   - takesEnds: Whether the first and the last chunk are always among them.
  package init(count: Int, seed: UInt64, takesEnds: Bool = true) {
    precondition(count > 0, "nothing would be read")
    self.count = count
    self.seed = seed
    self.takesEnds = takesEnds
  }

  /// The chosen ones of `total` chunks of the file at `index` of its release, in order.
  package func indices(of total: Int, file index: Int) -> [Int] {
    guard total > count else { return Array(0..<total) }
    guard count > 1 || !takesEnds else { return [0] }
    let ends = takesEnds ? 1 : 0
    var chosen: Set<Int> = takesEnds ? [0, total - 1] : []
    var random = SplitMix(seed: seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15)
    // Floyd's way: each step adds one number that is not there yet, each as likely as any other.
    let inner = total - 2 * ends
    for last in inner - (count - 2 * ends)..<inner {
      let pick = ends + Int(random.next() % UInt64(last + 1))
      chosen.insert(chosen.contains(pick) ? last + ends : pick)
    }
    return chosen.sorted()
  }
}

/// The generator of Steele, Lea and Flood: enough to choose chunks, and the same everywhere.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
