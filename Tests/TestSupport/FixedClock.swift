/// A clock that stands still until a test moves it.
package final class FixedClock: Sendable {
  private let time: Guarded<Duration>

  /// Starts at `seconds` since 1970, by default 2026-01-01T00:00:00Z.
  package init(seconds: Int64 = 1_767_225_600) { time = Guarded(.seconds(seconds)) }

  /// The time since 1970.
  package var now: Duration { time.withLock { $0 } }

  /// The whole seconds since 1970.
  package var seconds: Int64 { now.components.seconds }

  /// The nanoseconds since 1970.
  package var nanoseconds: Int64 {
    let parts = now.components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }

  /// Moves the clock; a negative duration moves it back.
  package func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
