import Synchronization

/// Whether a worker has found a chunk of a transfer wrong, which that transfer hears of at once.
final class Verdict: Sendable {
  private let flag = Atomic<Bool>(false)

  var isWrong: Bool { flag.load(ordering: .relaxed) }
  func setWrong() { flag.store(true, ordering: .relaxed) }
}
