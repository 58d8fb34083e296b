import Glibc

/// How fast a mirror serves one connection: a mean that forgets half of what was in ten seconds.
struct ByteRate: Hashable, Sendable {
  private static let halfLife = 10.0

  /// Bytes a second; nil before the first sample.
  private(set) var value: Double?

  /// Adds what came in a time, which must be positive.
  mutating func add(_ count: Int, in time: Duration) {
    let sample = Double(count) / time.inSeconds
    let weight = 1 - exp2(-time.inSeconds / Self.halfLife)
    value = value.map { $0 + (sample - $0) * weight } ?? sample
  }
}

extension Duration {
  /// The duration in seconds, as near as a `Double` comes.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
