/// The records of a mirror, and those who wait for one.
final class RequestLog: Sendable {
  typealias Condition = @Sendable ([RequestRecord]) -> Bool

  private struct Waiter {
    let condition: Condition
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var records: [RequestRecord] = []
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var nextWaiter = 0
    var isClosed = false
  }

  private let state = Guarded(State())
  private let start = ContinuousClock.now

  var records: [RequestRecord] { state.withLock { $0.records } }

  /// Adds a record and returns its index.
  func add(_ head: RequestHead, connection: Int) -> Int {
    let record = RequestRecord(head, connection: connection, time: ContinuousClock.now - start)
    return change { records in
      records.append(record)
      return records.count - 1
    }
  }

  func update(_ index: Int, _ body: (inout RequestRecord) -> Void) {
    change { body(&$0[index]) }
  }

  /// Returns true once the records meet `condition`, false if the mirror stops or the task is cancelled first.
  func wait(until condition: @escaping Condition) async -> Bool {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if condition(state.records) { return true }
          if state.isClosed || state.cancelled.remove(id) != nil { return false }
          state.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelled.insert(id) }
        return waiter
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  /// Lets everybody go who waits now or later.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }

  private func change<Result: Sendable>(_ body: (inout [RequestRecord]) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = body(&state.records)
      let met = state.waiters.filter { $0.value.condition(state.records) }
      for id in met.keys { state.waiters[id] = nil }
      return (result, Array(met.values))
    }
    for waiter in met { waiter.continuation.resume(returning: true) }
    return result
  }
}
