package import Digests
import Dispatch
import Glibc
import Synchronization
package import SystemFiles

/// Which chunks of a part were read back since they were last written.
///
/// A chunk may come twice, and both copies be written at the same time. Then a reading counts only if no write began, or
/// went on, after the one that it belongs to.
package final class Readings: Sendable {
  private struct State {
    /// How often each chunk was begun to be written, and how many of its writes go on.
    var (begun, going): ([Int: Int], [Int: Int]) = ([:], [:])
    var times: [Int: ContinuousClock.Instant] = [:]
  }

  /// What sees others that might change the part; without it, nothing counts.
  private let watch: FileWatch?
  private let state = Mutex(State())
  private let waiting = DispatchGroup()

  /// Begins for a part that is open for us alone; what `watch` has seen so far was ours.
  package init(watch: consuming FileWatch?) {
    _ = watch?.hasSeen()
    self.watch = watch
  }

  var isWatched: Bool {
    switch watch {
    case .some: true
    case .none: false
    }
  }

  /// Notes that a chunk is about to be written; returns the number of that write.
  package func willWrite(_ piece: Int) -> Int {
    state.withLock { state in
      state.times[piece] = nil
      state.begun[piece, default: 0] += 1
      state.going[piece, default: 0] += 1
      return state.begun[piece, default: 0]
    }
  }

  /// Notes that a write is done.
  package func didWrite(_ piece: Int) { state.withLock { $0.going[piece, default: 0] -= 1 } }

  /// Notes that the chunk is to be read; ``end(_:of:isRight:)`` must follow.
  package func begin() { waiting.enter() }

  /// Notes what was read of the chunk after that write.
  package func end(_ piece: Int, of write: Int, isRight: Bool) {
    state.withLock { state in
      guard isRight, state.begun[piece] == write, state.going[piece] == 0 else { return }
      state.times[piece] = .now
    }
    waiting.leave()
  }

  /// Waits for the readings that have begun, and says what they came to; nil if nothing was read, if another process had
  /// the part open meanwhile, or if later changes might not show.
  ///
  /// Nothing may be written any more.
  package func result(of file: borrowing OpenFile) throws(SystemError) -> ReadBack? {
    waiting.wait()
    let times = state.withLock { $0.times }
    guard !times.isEmpty else { return nil }
    let status = try file.status()
    for _ in 0..<Self.mostPauses where !status.showsNextChange { usleep(1000) }
    // Last, since what is changed from now on shows in the status.
    guard status.showsNextChange, watch?.hasSeen() == false else { return nil }
    return ReadBack(status, times)
  }

  /// A clock whose steps are longer than so many milliseconds is not waited for.
  private static let mostPauses = 20
}
