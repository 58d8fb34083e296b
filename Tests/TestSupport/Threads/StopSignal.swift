import Glibc
import Synchronization

/// Wakes every thread that waits on it, at once and for good.
final class StopSignal: Sendable {
  enum Wake { case ready, stopped, late }

  private let reader: Descriptor
  private let writer: Descriptor
  private let raised = Atomic(false)

  init() throws(SupportError) {
    (reader, writer) = try Descriptor.pipe()
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Wakes all waits, those to come included.
  func raise() {
    raised.store(true, ordering: .releasing)
    // A byte that nobody reads shows in every poll, however many there are.
    _ = unsafe write(writer.number, [1], 1)
  }

  /// Waits until `events` stand on `descriptor`, the signal is raised, or the time has come.
  func wait(
    for descriptor: CInt?,
    _ events: CInt = 0,
    until deadline: ContinuousClock.Instant? = nil
  ) -> Wake {
    while !isRaised {
      var waits = [
        pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor ?? -1, events: Int16(truncatingIfNeeded: events), revents: 0),
      ]
      let count = unsafe poll(&waits, 2, milliseconds(until: deadline))
      if waits[0].revents != 0 { return .stopped }
      if waits[1].revents != 0 { return .ready }
      if count == 0, let deadline, ContinuousClock.now >= deadline { return .late }
    }
    return .stopped
  }
}

/// The argument of `poll` that waits until `deadline`, rounded up; -1 without one.
func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
  guard let deadline else { return -1 }
  let rest = deadline - ContinuousClock.now
  guard rest > .zero else { return 0 }
  let whole = rest / Duration.milliseconds(1)
  return CInt(min(whole.rounded(.up), 1_000_000))
}
