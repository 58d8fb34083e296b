/// Measures a rate over the last seconds, so that it follows changes without jumping about.
struct RateMeter {
  private static let window = Duration.seconds(5)
  private static let spacing = Duration.milliseconds(100)
  private var samples: [(time: Duration, done: Int)] = []

  /// Notes that `done` bytes were done at `time`.
  mutating func add(_ done: Int, at time: Duration) {
    if let last = samples.last, time < last.time + Self.spacing {
      // Kept sparse: the newest sample is replaced while it is young, unless it is the only one.
      if samples.count > 1 { samples[samples.count - 1].done = done }
      return
    }
    samples.append((time, done))
    // One sample at or before the start of the window stays: the rate is measured from there.
    while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
  }

  /// The rate over the window that ends at `time`, or nil before half a second has passed.
  func bytesPerSecond(at time: Duration) -> Int? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let seconds = (time - first.time) / .seconds(1)
    guard seconds >= 0.5 else { return nil }
    return Int(max(0, Double(last.done - first.done)) / seconds)
  }
}
