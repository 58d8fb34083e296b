import Synchronization

/// Sums the bytes that several threads have verified, and reports each new sum.
final class VerifyingProgress: Sendable {
  /// Whether they are those of a candidate, or of a version that is there.
  enum Subject { case candidate, version }

  private let done = Mutex(0)
  private let total: Int
  private let subject: Subject
  private let report: @Sendable (InstallEvent) -> Void

  init(
    total: Int,
    of subject: Subject = .candidate,
    report: @escaping @Sendable (InstallEvent) -> Void
  ) {
    self.total = total
    self.subject = subject
    self.report = report
  }

  func add(_ count: Int) {
    let sum = done.withLock { done in
      done += count
      return done
    }
    switch subject {
    case .candidate: report(.verifying(done: sum, total: total))
    case .version: report(.reading(done: min(sum, total), total: total))
    }
  }
}
