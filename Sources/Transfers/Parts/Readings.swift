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
  private struct Writes {
    /// How often the chunk was begun to be written, and how many of its writes go on.
    var (begun, going) = (0, 0)
    /// When it was read and found right, after all of them.
    var readAt: ContinuousClock.Instant?
  }

  /// What sees others that might change the part; without it, nothing counts.
  private let watch: FileWatch?
  private let pieces = Mutex<[Int: Writes]>([:])
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
    pieces.withLock { pieces in
      var writes = pieces[piece] ?? Writes()
      writes.readAt = nil
      writes.begun += 1
      writes.going += 1
      pieces[piece] = writes
      return writes.begun
    }
  }

  /// Notes that a write is done.
  package func didWrite(_ piece: Int) { pieces.withLock { $0[piece]?.going -= 1 } }

  /// Notes that the chunk is to be read; ``end(_:of:isRight:)`` must follow.
  package func begin() { waiting.enter() }

  /// Notes what was read of the chunk after that write.
  package func end(_ piece: Int, of write: Int, isRight: Bool) {
    pieces.withLock { pieces in
      guard isRight, let writes = pieces[piece], writes.begun == write, writes.going == 0 else {
        return
      }
      pieces[piece]?.readAt = .now
    }
    waiting.leave()
  }

  /// Waits for the readings that have begun, and says what they came to; nil if nothing was read, if anybody else had
  /// the part open or cut it meanwhile, or if later changes might not show.
  ///
  /// Nothing may be written any more.
  package func result(of file: borrowing OpenFile) throws(SystemError) -> ReadBack? {
    waiting.wait()
    let times = pieces.withLock { $0.compactMapValues(\.readAt) }
    guard !times.isEmpty else { return nil }
    let status = try file.status()
    for _ in 0..<Self.mostPauses where !status.showsNextChange { usleep(1000) }
    // All was written, so a hole is of somebody who cut the file by its name, for which nobody has to open it.
    guard try file.firstHole() == status.size else { return nil }
    // Last, since what is changed from now on shows in the status.
    guard status.showsNextChange, watch?.hasSeen() == false else { return nil }
    return ReadBack(status, times)
  }

  /// A clock whose steps are longer than so many milliseconds is not waited for.
  private static let mostPauses = 20
}
