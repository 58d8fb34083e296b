import Digests
import Glibc
import SystemFiles

/// Fetches one file: asks the schedule what to do, does it, and tells the schedule what came of it.
final class FileFetch {
  private let request: FetchRequest
  private let run: FetchRun
  private let part: PartFile
  /// The mirror of each source.
  private let mirrors: [Int]
  private var schedule: FileSchedule
  private var chosen: Int?
  /// What made the intake stop the request.
  private var rejection: MirrorFault?
  /// The most bytes that were at hand of a file without chunk table.
  private var highWater = 0

  /// Opens or makes the part.
  init(_ request: FetchRequest, run: FetchRun) throws(FetchError.Kind) {
    self.request = request
    self.run = run
    mirrors = request.sources.map { run.ledger.mirrors[$0.mirror] ?? 0 }
    do {
      part = try PartFile(request, in: run.folder)
    } catch {
      throw .local(error)
    }
    let whole = request.size > 0 ? [0..<request.size] : []
    schedule = FileSchedule(
      pieces: request.chunks?.chunks.map(\.range) ?? whole,
      mirrors: mirrors,
      clocks: run.options.clocks,
      now: run.now()
    )
  }

  /// Returns once all bytes are verified and durable in the part.
  func perform() throws(FetchError.Kind) {
    if request.size == 0, request.digest != .ofNothing { throw .integrity }
    let intake = try resumedIntake()
    run.showProgress()
    do {
      try follow(intake)
    } catch {
      intake.close()
      throw error
    }
    do throws(SystemError) {
      guard try part.file.status().size == request.size else {
        throw SystemError("fstat", code: EIO, path: PartFile.partName(request.name))
      }
      try part.finish()
    } catch {
      throw .local(error)
    }
    run.report(.verified(label: request.label))
  }

  private func follow(_ intake: any Intake) throws(FetchError.Kind) {
    while true {
      if run.stop.isStopped { throw .cancelled }
      let now = run.now()
      switch schedule.next(now: now, standings: run.standings) {
      case .finish: return
      case .giveUp:
        if schedule.mirrorsAgreeOnWrongBytes { run.ledger.noteAgreement() }
        throw schedule.failure(standings: run.standings)
      case .wait(let deadline):
        run.report(.waiting(label: request.label, duration: deadline - now))
        run.http.wait(until: deadline)
      case .ask(let source, let range):
        try ask(source, for: range, intake)
      }
    }
  }
}

// One request.
extension FileFetch {
  private func ask(
    _ source: Int,
    for range: Range<Int>,
    _ intake: any Intake
  ) throws(FetchError.Kind) {
    let mirror = mirrors[source]
    if chosen != source {
      chosen = source
      run.report(.mirrorChosen(label: request.label, mirror: run.ledger.name(of: mirror)))
    }
    rejection = nil
    let ask = ResponseAsk(range, of: request)
    let end = perform(ask, source, intake)
    schedule.partial = intake.partial
    if let failure = intake.localFailure { throw .local(failure) }
    switch end {
    case .complete(let came):
      if came.upperBound > range.upperBound { run.standings.ignoresRanges(mirror) }
    case .stopped:
      if let rejection { note(rejection, of: source) }
    case .fault(let fault): note(fault, of: source)
    case .redirect: note(.status(302), of: source)
    case .cancelled: throw .cancelled
    }
  }

  private func perform(
    _ ask: ResponseAsk,
    _ source: Int,
    _ intake: any Intake
  ) -> ExchangeEnd {
    do {
      let url = try TransferURL(request.sources[source].url)
      let clocks = schedule.clocks(for: source, now: run.now(), standings: run.standings)
      let sink = IntakeSink(intake, source: source)
      return run.courier.perform(ask, at: url, into: sink, clocks: clocks)
    } catch {
      return .fault(error)
    }
  }

  private func note(_ fault: MirrorFault, of source: Int) {
    let mirror = mirrors[source]
    run.standings.failed(mirror, fault, now: run.now(), roll: Double.random(in: 0..<1))
    schedule.failed(source, fault, standings: &run.standings)
    run.ledger.failed(mirror, fault)
    run.report(
      .mirrorFault(label: request.label, mirror: run.ledger.name(of: mirror), fault: fault)
    )
  }
}

// What arrives.
extension FileFetch {
  private func take(_ event: IntakeEvent) {
    switch event {
    case .verified(let piece, let contributions):
      for source in contributions.bytes.keys.compactMap({ $0 }) {
        run.standings.verified(by: mirrors[source])
        if request.chunks != nil, schedule.wasRejected(piece) { refetched(piece, from: source) }
      }
      schedule.hold(piece, now: run.now())
      run.ledger.pending = 0
      run.ledger.verified(contributions, mirrors: mirrors)
      run.showProgress()
    case .rejected(let piece, let digest, let contributions):
      run.ledger.wasted(contributions, mirrors: mirrors)
      guard let source = contributions.onlySource else { return schedule.distrust(piece) }
      schedule.reject(piece, from: source, digest: digest)
      rejection = .wrongBytes(chunk: request.chunks == nil ? nil : piece, found: digest)
    case .pending(let count):
      if count > highWater { schedule.gained(at: run.now()) }
      highWater = max(highWater, count)
      run.ledger.pending = count
      run.showProgress()
    case .wasted(let contributions): run.ledger.wasted(contributions, mirrors: mirrors)
    }
  }

  private func refetched(_ chunk: Int, from source: Int) {
    let name = run.ledger.name(of: mirrors[source])
    run.report(.chunkRefetched(label: request.label, chunk: chunk, mirror: name))
  }
}

// What an earlier run left.
extension FileFetch {
  private func resumedIntake() throws(FetchError.Kind) -> any Intake {
    if let table = request.chunks {
      try resume(table)
      return ChunkIntake(
        table,
        part: part,
        isWanted: { [unowned self] in schedule.isWanted($0, from: $1) },
        isHeld: { [unowned self] in schedule.isHeld($0) },
        report: { [unowned self] in take($0) }
      )
    }
    let intake = StreamIntake(request, part: part) { [unowned self] in take($0) }
    try resume(intake)
    return intake
  }

  private func resume(_ table: ChunkTable) throws(FetchError.Kind) {
    let (report, label, stop) = (run.report, request.label, run.stop)
    do {
      let held = try part.heldChunks(of: table) { hashed, total in
        report(.checking(label: label, bytes: hashed, of: total))
        return !stop.isStopped
      }
      for chunk in held {
        schedule.hold(chunk, now: run.now())
        run.ledger.resumed(table.chunks[chunk].length)
      }
      let bytes = held.reduce(0) { $0 + table.chunks[$1].length }
      if bytes > 0 { run.report(.resumed(label: label, bytes: bytes)) }
    } catch {
      switch error {
      case .unreadable(let failure): throw .local(failure)
      case .cancelled, .sizeChanged: throw .cancelled
      }
    }
  }

  private func resume(_ intake: StreamIntake) throws(FetchError.Kind) {
    guard request.size > 0 else { return }
    do {
      try intake.resume { hashed in
        run.report(.checking(label: request.label, bytes: hashed, of: request.size))
        return run.stop.isStopped
      }
    } catch {
      throw .local(error)
    }
    schedule.partial = intake.partial
    let bytes = schedule.isHeld(0) ? request.size : intake.partial?.filled ?? 0
    if bytes > 0 { run.report(.resumed(label: request.label, bytes: bytes)) }
  }
}

/// Gives a response's body to the intake of the file.
private final class IntakeSink: BodySink {
  private let intake: any Intake
  private let source: Int

  init(_ intake: any Intake, source: Int) {
    self.intake = intake
    self.source = source
  }

  func begin(_ range: Range<Int>) { intake.begin(range, from: source) }
  func take(_ bytes: Span<UInt8>) -> Bool { intake.take(bytes) }
}
