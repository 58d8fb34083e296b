/// The bytes that all transfers of a run together may bring, under a limit of so many a second.
///
/// What comes may overdraw it, since a read is not cut short; then nothing is received until that is made up for.
struct RateBudget {
  private let rate: Double
  private var level = 0.0
  private var last: Duration = .zero

  /// - Parameter rate: The bytes a second, at least 1.
  init(rate: Int) { self.rate = Double(rate) }

  /// The time until bytes may come; zero if they may now.
  mutating func wait(now: Duration) -> Duration {
    // What was not used in the last quarter of a second may come at once.
    level = min(level + (now - last).inSeconds * rate, rate / 4)
    last = now
    return level >= 0 ? .zero : .seconds(-level / rate)
  }

  /// Notes that bytes came.
  mutating func used(_ count: Int) { level -= Double(count) }

  /// The bytes that one read of a local file should bring at most.
  var portion: Int { max(1, Int(min(rate / 10, Double(LocalTransfer.blockSize)))) }
}
