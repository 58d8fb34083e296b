/// Lets no more than so many bytes a second through, for what libcurl does not receive.
///
/// It lets them through in portions worth a read, so that nobody looks again for a few bytes.
struct LocalThrottle {
  /// The bytes a second; what connections receive besides is not for this throttle.
  var rate: Int
  private var level = 0.0
  private var last: Duration = .zero

  init(rate: Int) { self.rate = rate }

  /// The bytes that may be read now; 0 while they are not worth a read.
  mutating func allowance(now: Duration) -> Int {
    level = min(level + (now - last).inSeconds * Double(rate), Double(rate) / 4 + 1)
    last = now
    return Int(level) < portion ? 0 : Int(level)
  }

  /// Notes that bytes were read.
  mutating func used(_ count: Int) { level -= Double(count) }

  private var portion: Int { max(1, min(LocalTransfer.blockSize, rate / 10)) }
}
