/// Random numbers that a seed fixes, for pauses that clients do not share; nothing secret comes of them.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
package struct Jitter: Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The next number in `0..<1`.
  package mutating func roll() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 53)
  }
}
