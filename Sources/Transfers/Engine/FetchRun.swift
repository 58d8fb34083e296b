import Digests
import SystemFiles

/// One fetch on its own thread: does what the scheduler decides, and tells it what came of it.
///
/// This thread receives; two workers hash and write, two readers read back behind them. The scheduler sees what was received
/// before it sees what the workers made of it.
final class FetchRun {
  /// The bytes of chunks in memory at a time, the longest chunk being 16 MiB.
  static let memory = 34 << 20
  /// Files below this length are synced together at the end.
  static let smallFile = 1 << 20
  /// With a rate limit, no more connections than each have this many bytes a second.
  private static let leastRate = 1 << 20

  let requests: [FetchRequest]
  let folder: PartFolder
  let options: FetchOptions
  let stop: StopSignal
  let now: () -> Duration
  let report: @Sendable (FetchEvent) -> Void
  let pool: ChunkPool
  let work: WorkQueue
  /// What reads the chunks of long files back.
  let readBehind: ReadBehind
  /// The chunks that came and wait for a worker.
  let line = ArrivalLine()
  /// The mirror of each source of each file.
  let mirrors: [[Int]]
  var scheduler: Scheduler
  var ledger: FetchLedger
  var meter: PaceMeter
  var files: [Int: FileRecord] = [:]
  var transfers: [Int: RunningTransfer] = [:]
  var events: [Scheduler.Event] = []
  /// Handles that make no request now.
  var idle: [EasyHandle] = []
  /// Where mirrors led.
  var targets: [TransferURL: TransferURL] = [:]
  var budget: RateBudget?
  /// The finished files that are not synced yet.
  var unsynced: [Int] = []
  private(set) var outcome: Result<Void, Failure>?
  private var toldWait: Duration?

  struct Failure: Error {
    let kind: FetchError.Kind
    let label: String
  }

  init(
    _ requests: [FetchRequest],
    into folder: PartFolder,
    options: FetchOptions,
    stop: StopSignal,
    report: @escaping @Sendable (FetchEvent) -> Void
  ) {
    self.requests = requests
    self.folder = folder
    self.options = options
    self.stop = stop
    self.report = report
    let pool = ChunkPool(budget: Self.memory)
    // Time in which the machine sleeps, or waits for its own disk, is no mirror's fault.
    let start = SuspendingClock.now
    now = { start.duration(to: .now) - pool.waited }
    self.pool = pool
    let key = TagKey()
    work = WorkQueue(key) { stop.wake() }
    readBehind = ReadBehind(key)
    let ledger = FetchLedger(requests)
    mirrors = requests.map { $0.sources.map { ledger.mirrors[$0.mirror] ?? 0 } }
    self.ledger = ledger
    meter = PaceMeter(verified: 0, now: .zero)
    budget = options.limitRate.map { RateBudget(rate: $0) }
    scheduler = Scheduler(
      files: zip(requests, mirrors).map { ($0.size, $1) },
      origins: ledger.origins(of: requests),
      limits: Self.limits(options),
      clocks: options.clocks,
      seed: UInt64.random(in: 0...UInt64.max),
      now: .zero
    )
  }

  private static func limits(_ options: FetchOptions) -> Scheduler.Limits {
    var limits = Scheduler.Limits()
    limits.memory = memory
    limits.connections = max(1, options.jobs)
    if let rate = options.limitRate {
      limits.connections = max(1, min(limits.connections, rate / leastRate))
    }
    return limits
  }

  /// Returns once all files are verified and durable.
  func perform() throws(FetchError) -> FetchReport {
    showProgress()
    if let empty = requests.first(where: { $0.size == 0 && $0.digest != .ofNothing }) {
      fail(.integrity, empty.label)
    }
    while outcome == nil {
      if stop.isStopped {
        fail(.cancelled, requests.first?.label ?? "")
        break
      }
      turn()
    }
    shutDown()
    switch outcome {
    case .failure(let failure)?:
      if scheduler.mirrorsAgreeOnWrongBytes { ledger.noteAgreement() }
      throw FetchError(kind: failure.kind, label: failure.label, report: ledger.report)
    default: return ledger.report
    }
  }

  private func turn() {
    takeNews()
    let now = now()
    for action in scheduler.step(events.take(), now: now) { perform(action) }
    guard outcome == nil else { return }
    tellWait(now: now)
    if let pace = meter.pace(ledger, now: now) { report(.pace(pace)) }
    if let wait = budget?.wait(now: now), wait > .zero { return StopSignal.rest(wait) }
    let isPumping = pumpLocal()
    receive()
    takeDone()
    guard !isPumping, events.isEmpty else { return }
    stop.poll(scheduler.deadline(now: now) - now)
  }

  /// Ends the run; the first cause counts.
  func fail(_ kind: FetchError.Kind, _ label: String) {
    if outcome == nil { outcome = .failure(Failure(kind: kind, label: label)) }
  }

  func succeed() { if outcome == nil { outcome = .success(()) } }

  func showProgress() {
    ledger.pending = files.values.reduce(0) { $0 + $1.pending }
    report(.progress(ledger.progress))
  }

  private func tellWait(now: Duration) {
    guard let deadline = scheduler.waitingUntil, transfers.isEmpty else { return toldWait = nil }
    guard deadline != toldWait, deadline > now else { return }
    toldWait = deadline
    let label = requests[scheduler.firstOpen ?? 0].label
    report(.waiting(label: label, duration: deadline - now))
  }

  /// Ends what is running and waits for the workers; what they still verify counts.
  private func shutDown() {
    for id in Array(transfers.keys) { finish(id, .cancelled) }
    // First, since a worker may wait for it.
    readBehind.close()
    work.close()
    for result in work.takeResults() { take(result) }
    for record in files.values { try? record.stream?.close() }
  }
}

extension [Scheduler.Event] {
  fileprivate mutating func take() -> [Scheduler.Event] {
    defer { removeAll(keepingCapacity: true) }
    return self
  }
}

extension FetchLedger {
  /// The number of the origin of each mirror: mirrors of one origin share its connections.
  fileprivate func origins(of requests: [FetchRequest]) -> [Int] {
    var numbers: [String: Int] = [:]
    var origins = Array(repeating: -1, count: report.mirrors.count)
    for source in requests.lazy.flatMap(\.sources) {
      guard let mirror = mirrors[source.mirror], origins[mirror] < 0 else { continue }
      let origin = (try? TransferURL(source.url))?.origin ?? source.mirror
      numbers[origin] = numbers[origin] ?? numbers.count
      origins[mirror] = numbers[origin] ?? 0
    }
    return origins
  }
}
