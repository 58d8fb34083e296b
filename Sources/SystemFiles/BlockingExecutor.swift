import Dispatch

/// A thread for a task that reads, hashes and waits for locks, so that it never takes one from the shared pool.
///
/// Tasks that it starts beside itself run on the shared pool and go on meanwhile.
package final class BlockingExecutor: TaskExecutor {
  private let queue: DispatchQueue

  package init(_ name: String) { queue = DispatchQueue(label: name) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
