/// How long a mirror is left alone after failures in a row.
///
/// `roll` is a random number in `0..<1` that the caller draws, so that clients do not come back together.
package enum BackOff {
  /// What a mirror may ask for at most; one that asks for more is down for the run.
  package static let longestPause: Duration = .seconds(300)

  /// Full jitter for faults that pass: anything up to 0.25 s · 2ⁿ, at most 30 s.
  package static func transient(failures: Int, roll: Double) -> Duration {
    min(.seconds(30), .milliseconds(250) * power(failures)) * roll
  }

  /// Equal jitter for mirrors that are busy, never less than half of 2ⁿ s (at most 60 s) nor than asked.
  package static func throttled(failures: Int, asked: Duration?, roll: Double) -> Duration {
    let base = min(.seconds(60), .seconds(1) * power(failures))
    return max(asked ?? .zero, base / 2 + base / 2 * roll)
  }

  private static func power(_ exponent: Int) -> Int { 1 << min(max(exponent, 0), 16) }
}
