/// What is known of a child so far, and those who wait for more.
final class ChildState: Sendable {
  struct Written: Sendable {
    var output: [UInt8] = []
    var errors: [UInt8] = []
  }

  typealias Condition = @Sendable (Written) -> Bool

  private struct State {
    var written = Written()
    var outcome: ToolOutcome?
    var watchers: [(condition: Condition, continuation: CheckedContinuation<Bool, Never>)] = []
    var waiters: [CheckedContinuation<ToolOutcome, Never>] = []
  }

  private let state = Guarded(State())

  var written: Written { state.withLock { $0.written } }
  var isRunning: Bool { state.withLock { $0.outcome == nil } }

  /// Waits for the end of the child.
  func outcome() async -> ToolOutcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiters.append(continuation) }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Waits until what was written meets `condition`; false if the child ends without.
  func wait(until condition: @escaping Condition) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if condition(state.written) { return true }
        if state.outcome != nil { return false }
        state.watchers.append((condition, continuation))
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func add(_ change: (inout Written) -> Void) {
    let met = state.withLock { state in
      change(&state.written)
      let met = state.watchers.filter { $0.condition(state.written) }
      if !met.isEmpty { state.watchers.removeAll { $0.condition(state.written) } }
      return met
    }
    for watcher in met { watcher.continuation.resume(returning: true) }
  }

  /// Sets the outcome, which `make` builds of all that was written.
  func finish(_ make: (Written) -> ToolOutcome) {
    let (outcome, waiters, watchers) = state.withLock { state in
      let outcome = make(state.written)
      state.outcome = outcome
      defer { (state.waiters, state.watchers) = ([], []) }
      return (outcome, state.waiters, state.watchers)
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
    for watcher in watchers { watcher.continuation.resume(returning: false) }
  }
}
