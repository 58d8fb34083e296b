import Dispatch

/// A thread for one task that blocks it, since a task that blocks one of the pool stops others.
package final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "sealift.tests.own")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
