/// Lets no more than so many bytes a second through, for what libcurl does not receive.
struct LocalThrottle {
  private let rate: Int
  private var level = 0.0
  private var last: Duration = .zero

  init(rate: Int) { self.rate = rate }

  /// The bytes that may be read now.
  mutating func allowance(now: Duration) -> Int {
    level = min(level + (now - last).inSeconds * Double(rate), Double(rate) / 4 + 1)
    last = now
    return Int(level)
  }

  /// Notes that bytes were read.
  mutating func used(_ count: Int) { level -= Double(count) }
}
