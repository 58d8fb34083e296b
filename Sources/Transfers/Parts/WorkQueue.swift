import Digests
import Dispatch
import Synchronization

/// Two threads that hash and write while another receives.
///
/// Jobs that a connection waits for come before those that look at what is on disk already.
final class WorkQueue: Sendable {
  typealias Job = @Sendable (_ bench: inout WorkBench, _ report: (WorkResult) -> Void) -> Void

  fileprivate struct State {
    var urgent: [Job] = []
    var patient: [Job] = []
    /// The jobs of each list that are done already.
    var (urgentStart, patientStart) = (0, 0)
    var results: [WorkResult] = []
    var isClosed = false
  }

  private static let workerCount = 2

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let workers = DispatchGroup()
  private let key: TagKey
  private let wake: @Sendable () -> Void

  /// Starts the workers, which make tags with `key`; `wake` is called whenever there is a result.
  init(_ key: TagKey, wake: @escaping @Sendable () -> Void) {
    self.key = key
    self.wake = wake
    for number in 1...Self.workerCount {
      DispatchQueue(label: "sealift.worker.\(number)").async(group: workers) { self.run() }
    }
  }

  func add(isUrgent: Bool = true, _ job: @escaping Job) {
    state.withLock { state in
      if isUrgent { state.urgent.append(job) } else { state.patient.append(job) }
    }
    work.signal()
  }

  /// What the jobs came to since the last call, in the order in which they ended.
  func takeResults() -> [WorkResult] {
    state.withLock { state in
      defer { state.results.removeAll(keepingCapacity: true) }
      return state.results
    }
  }

  /// Returns once the urgent jobs are done and the workers gone; the patient ones are dropped.
  func close() {
    state.withLock { state in
      state.isClosed = true
      (state.patient, state.patientStart) = ([], 0)
    }
    for _ in 1...Self.workerCount { work.signal() }
    workers.wait()
  }

  private func run() {
    var bench = WorkBench(key)
    while true {
      work.wait()
      guard let job = state.withLock({ $0.next() }) else {
        if state.withLock({ $0.isClosed }) { return }
        continue
      }
      job(&bench) { result in
        state.withLock { $0.results.append(result) }
        wake()
      }
    }
  }
}

extension WorkQueue.State {
  fileprivate mutating func next() -> WorkQueue.Job? {
    Self.next(of: &urgent, &urgentStart) ?? Self.next(of: &patient, &patientStart)
  }

  private static func next(of jobs: inout [WorkQueue.Job], _ start: inout Int) -> WorkQueue.Job? {
    guard start < jobs.count else { return nil }
    let job = jobs[start]
    start += 1
    if start == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      start = 0
    } else if start >= 1024 {
      jobs.removeFirst(start)
      start = 0
    }
    return job
  }
}
