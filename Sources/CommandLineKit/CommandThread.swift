import Dispatch

/// The thread on which a command runs: its own, so that reading and hashing may block it.
///
/// Tasks that the command starts beside itself, such as the ticking of a progress display, run on the shared
/// pool and go on meanwhile.
final class CommandThread: TaskExecutor {
  private let queue = DispatchQueue(label: "sealift.command")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
