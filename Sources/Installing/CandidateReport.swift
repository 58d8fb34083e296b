import ModelStore
import Synchronization
import Transfers

/// Passes the events of an install on, and writes its progress where waiting processes can follow it.
final class CandidateReport: Sendable {
  private struct Following {
    var note: ProgressNote?
    /// The last progress, which may not have been written since an earlier one was not old enough.
    var last: CandidateProgress?
  }

  private let following = Mutex(Following())
  private let total: Int
  private let report: @Sendable (InstallEvent) -> Void

  init(total: Int, report: @escaping @Sendable (InstallEvent) -> Void) {
    self.total = total
    self.report = report
  }

  /// Writes what comes next to `note`.
  func follow(_ note: ProgressNote?) {
    following.withLock { $0 = Following(note: note) }
  }

  func callAsFunction(_ event: InstallEvent) {
    report(event)
    if case .fetching = event {
      // Another phase begins, and what was said of the one before holds no more.
      following.withLock { $0.last = nil }
    }
    let progress = progress(of: event)
    // The pace is told each second, also while nothing comes: by then the last progress is due.
    guard progress != nil || event.isPace else { return }
    // Within the lock, so that none that is older is written later; it is a few bytes, a few times a second.
    following.withLock { following in
      following.last = progress ?? following.last
      if let last = following.last { following.note?.note(last) }
    }
  }

  private func progress(of event: InstallEvent) -> CandidateProgress? {
    switch event {
    case .transfer(.progress(let progress)):
      let done = min(total, progress.verified + progress.pending)
      return CandidateProgress(phase: .download, done: done, total: total)
    case .verifying(let done, let total):
      return CandidateProgress(phase: .verify, done: min(done, total), total: total)
    default: return nil
    }
  }
}

extension InstallEvent {
  fileprivate var isPace: Bool {
    if case .transfer(.pace) = self { true } else { false }
  }
}
