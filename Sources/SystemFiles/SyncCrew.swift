import Dispatch
import Synchronization

/// Threads that make many files durable at a time: each mostly waits for the medium, which serves all in one go.
package enum SyncCrew {
  /// The threads at most, and the files for which one more is worth its start.
  private static let (most, filesEach) = (4, 16)

  /// Calls `work` with each number below `count`, in order where there are few of them, else on several threads.
  ///
  /// Blocks the calling thread until all calls have returned; after a failure none begins any more.
  /// - Returns: The failure of the lowest number, or nil.
  package static func firstFailure<Failure: Sendable>(
    of count: Int,
    _ work: @escaping @Sendable (Int) -> Failure?
  ) -> Failure? {
    let list = SyncList<Failure>(count)
    let threads = min(most, count / filesEach)
    guard threads > 1 else {
      list.work(through: work)
      return list.firstFailure
    }
    let group = DispatchGroup()
    for number in 1...threads {
      DispatchQueue(label: "sealift.sync.\(number)").async(group: group) {
        list.work(through: work)
      }
    }
    group.wait()
    return list.firstFailure
  }
}

/// The numbers that several threads share out among themselves.
private final class SyncList<Failure: Sendable>: Sendable {
  private struct State {
    var next = 0
    var failures: [Int: Failure] = [:]
  }

  private let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  var firstFailure: Failure? {
    state.withLock { state in state.failures.min { $0.key < $1.key }?.value }
  }

  func work(through work: (Int) -> Failure?) {
    while let number = take() {
      guard let failure = work(number) else { continue }
      state.withLock { $0.failures[number] = failure }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.failures.isEmpty, state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
