import Manifests
import Synchronization

/// One install of this process, its last state, and those who read its states.
final class InstallJob: Sendable {
  private struct State {
    var model: ModelName?
    var last: InstallState?
    var isDone = false
    var isCancelled = false
    var readers: [AsyncStream<InstallState>.Continuation] = []
    var task: Task<Void, Never>?
  }

  /// The states that a reader may be behind.
  private static let lag = 64

  private let state = Mutex(State())

  /// The model, once its manifest was read and accepted.
  var model: ModelName? {
    get { state.withLock { $0.model } }
    set { state.withLock { $0.model = newValue } }
  }

  /// The last state that was told.
  var last: InstallState? { state.withLock { $0.last } }

  /// Runs `work`, which tells states and returns the last one.
  func start(_ executor: any TaskExecutor, _ work: @escaping @Sendable () async -> InstallState) {
    let task = Task(executorPreference: executor) { self.finish(await work()) }
    let isCancelled = state.withLock { state in
      state.task = state.isDone ? nil : task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// The states from the last one on; a job that is done has just that one.
  func states() -> InstallStates {
    let (stream, reader) = AsyncStream<InstallState>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.lag)
    )
    state.withLock { state in
      if let last = state.last { reader.yield(last) }
      if state.isDone { reader.finish() } else { state.readers.append(reader) }
    }
    return InstallStates(stream)
  }

  func tell(_ new: InstallState) {
    state.withLock { state in
      guard !state.isDone else { return }
      state.last = new
      for reader in state.readers { reader.yield(new) }
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func finish(_ last: InstallState) {
    state.withLock { state in
      (state.last, state.isDone, state.task) = (last, true, nil)
      for reader in state.readers {
        reader.yield(last)
        reader.finish()
      }
      state.readers = []
    }
  }
}
