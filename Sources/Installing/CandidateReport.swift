import ModelStore
import Synchronization
import Transfers

/// Passes the events of an install on, and writes its progress where waiting processes can follow it.
final class CandidateReport: Sendable {
  private let note = Mutex<ProgressNote?>(nil)
  private let total: Int
  private let report: @Sendable (InstallEvent) -> Void

  init(total: Int, report: @escaping @Sendable (InstallEvent) -> Void) {
    self.total = total
    self.report = report
  }

  /// Writes what comes next to `note`.
  func follow(_ note: ProgressNote?) { self.note.withLock { $0 = note } }

  func callAsFunction(_ event: InstallEvent) {
    report(event)
    guard let progress = progress(of: event) else { return }
    note.withLock { $0 }?.note(progress)
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
