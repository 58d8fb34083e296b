import Glibc
import Synchronization
package import Verification

/// How fast an audit reads, and for how long; counts what was read.
///
/// Asked on any thread.
package final class AuditPace: Sendable {
  private struct State {
    /// The bytes whose reading was begun, which is what the rate is about.
    var begun = 0
    var hashed = 0
    var isLate = false
  }

  /// The longest time between two looks at whether to go on.
  private static let longestPause = 50_000

  private let maxRate: Int?
  private let deadline: Duration?
  private let stop: StopFlag
  private let now: @Sendable () -> Duration
  private let progress: @Sendable (Int) -> Void
  private let start: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - maxRate: The most bytes a second; nil for as many as there are.
  ///   - deadline: The time after which nothing more is begun.
  ///   - stop: Raised when somebody wants the work to end.
  ///   - now: The time since any fixed moment.
  ///   - progress: Called on any thread with each count of bytes done.
  package init(
    maxRate: Int? = nil,
    deadline: Duration? = nil,
    stop: StopFlag = StopFlag(),
    now: @escaping @Sendable () -> Duration = AuditPace.clock(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.maxRate = maxRate
    self.deadline = deadline
    self.stop = stop
    self.now = now
    self.progress = progress
    start = now()
  }

  /// The time since this moment.
  package static func clock() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }

  /// The time since the work began.
  package var elapsed: Duration { now() - start }

  /// The same in milliseconds.
  package var milliseconds: Int {
    let (seconds, rest) = elapsed.components
    return Int(seconds) * 1000 + Int(rest / 1_000_000_000_000_000)
  }

  /// The bytes that were read and hashed.
  package var bytesHashed: Int { state.withLock { $0.hashed } }

  /// Whether the work was interrupted.
  package var isInterrupted: Bool { stop.isRaised }

  /// Whether another chunk may be begun.
  package var goesOn: Bool {
    if stop.isRaised { return false }
    guard let deadline, elapsed >= deadline else { return true }
    state.withLock { $0.isLate = true }
    return false
  }

  /// Why the work ended early; nil if it did not.
  package var reason: AuditReport.Unfinished.Reason? {
    if stop.isRaised { return .interrupted }
    return state.withLock { $0.isLate } ? .deadline : nil
  }

  /// Waits until so many more bytes may be read.
  func wait(for count: Int) {
    guard let maxRate else { return }
    let begun = state.withLock { state in
      defer { state.begun += count }
      return state.begun
    }
    let due = Duration.microseconds(Int64(Double(begun) / Double(maxRate) * 1e6))
    while goesOn, elapsed < due {
      let left = (due - elapsed).components
      let micros = Double(left.seconds) * 1e6 + Double(left.attoseconds) / 1e12
      usleep(UInt32(min(max(micros, 1), Double(Self.longestPause))))
    }
  }

  /// Notes that so many bytes are done; says whether to go on.
  func done(_ count: Int) -> Bool {
    state.withLock { $0.hashed += count }
    progress(count)
    return goesOn
  }
}
