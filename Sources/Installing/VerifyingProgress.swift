import Synchronization

/// Sums the bytes that several threads have verified, and reports each new sum.
final class VerifyingProgress: Sendable {
  private let done = Mutex(0)
  private let total: Int
  private let report: @Sendable (InstallEvent) -> Void

  init(total: Int, report: @escaping @Sendable (InstallEvent) -> Void) {
    self.total = total
    self.report = report
  }

  func add(_ count: Int) {
    let sum = done.withLock { done in
      done += count
      return done
    }
    report(.verifying(done: sum, total: total))
  }
}
