import Synchronization

/// Tells work that runs on several threads that its task was cancelled.
package final class StopFlag: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isRaised: Bool { flag.load(ordering: .relaxed) }

  package func raise() { flag.store(true, ordering: .relaxed) }

  /// Runs `work` with a flag that is raised when the task is cancelled.
  package static func withFlag<Value>(
    _ work: (StopFlag) async throws -> Value
  ) async throws -> Value {
    let flag = StopFlag()
    return try await withTaskCancellationHandler {
      try await work(flag)
    } onCancel: {
      flag.raise()
    }
  }
}
