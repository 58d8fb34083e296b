import Digests
import TestSupport
import Testing
import Transfers

/// A run without sockets: mirrors of this world send, stall, lie and fail, and a clock of its own goes by.
///
/// Each turn is 50 ms. What the scheduler promises is checked at every order.
struct SimulatedRun {
  /// What a mirror is like.
  struct Mirror {
    /// Bytes that one connection brings in a turn.
    var rate = 500
    /// The turns before the first byte.
    var delay = 1
    /// Of a hundred requests, how many end in a fault.
    var faults = 0
    var isStalling = false
    var ignoresRanges = false
    /// Of a hundred pieces, how many come wrong.
    var wrong = 0
    var origin = 0
  }

  enum Outcome: Equatable { case complete, gaveUp(FetchError.Kind), endless }

  private struct Flight {
    let order: Scheduler.Order
    let mirror: Int
    var position: Int
    var end: Int
    var turns = 0
    var failsAt: Int?
    /// The piece at `position` and the source of its bytes so far; nil if they are of several.
    var source: Int?
    /// Whether bytes of the piece from its start are at hand.
    var isCollecting: Bool
  }

  private static let pieceLength = 1000
  private static let turn = Duration.milliseconds(50)

  private let mirrors: [Mirror]
  private let files: [[Range<Int>]]
  /// The pieces that memory has room for.
  private let room: Int
  private var scheduler: Scheduler
  private var random: SplitMix64
  private var now = Duration.zero
  private var flights: [Int: Flight] = [:]
  private var partials: [[Int]: Scheduler.Partial] = [:]
  private var events: [Scheduler.Event] = []
  /// What the workers will have found in the next turn.
  private var found: [Scheduler.Event] = []
  private var held: Set<[Int]> = []
  private var wrong: Set<[Int]> = []
  private(set) var steps = 0
  /// The bytes that mirrors sent.
  private(set) var sent = 0
  private(set) var outcome: Outcome?

  init(_ mirrors: [Mirror], pieces: [Int], connections: Int, room: Int = 12, seed: UInt64) {
    self.mirrors = mirrors
    self.room = room
    files = pieces.map { count in
      (0..<count).map { $0 * Self.pieceLength..<($0 + 1) * Self.pieceLength }
    }
    random = SplitMix64(seed: seed)
    var limits = Scheduler.Limits()
    limits.connections = connections
    limits.openFiles = 3
    limits.memory = room * Self.pieceLength
    scheduler = Scheduler(
      files: files.map { ($0.last?.upperBound ?? 0, Array(mirrors.indices)) },
      origins: mirrors.map(\.origin),
      limits: limits,
      clocks: FetchClocks(),
      seed: seed,
      now: .zero
    )
  }

  var size: Int { files.joined().reduce(0) { $0 + $1.count } }
  var seconds: Double { Double(now.components.seconds) }

  /// Plays until the run is over; a day is taken for endless.
  mutating func play() -> Outcome {
    while outcome == nil {
      step()
      if now > .seconds(86_400) || steps > 400_000 { outcome = .endless }
    }
    return outcome ?? .endless
  }

  private mutating func step() {
    steps += 1
    let batch = events + found
    (events, found) = ([], [])
    for action in scheduler.step(batch, now: now) { perform(action) }
    guard outcome == nil, events.isEmpty else { return }
    if flights.isEmpty, found.isEmpty, let deadline = scheduler.waitingUntil, deadline > now {
      now = deadline
    } else {
      now += Self.turn
    }
    for id in flights.keys.sorted() { move(id) }
  }
}

// Orders.
extension SimulatedRun {
  private mutating func perform(_ action: Scheduler.Action) {
    switch action {
    case .open(let file):
      events.append(.opened(file: file, pieces: files[file], checking: [], partial: nil))
    case .start(let order): start(order)
    case .cut(let id, let end):
      flights[id]?.end = end
      if let flight = flights[id], flight.position >= end { finish(id, .stopped) }
    case .stop(let id, let fault): finish(id, fault.map { .fault($0) } ?? .stopped)
    case .drop(let file, let piece): partials[[file, piece]] = nil
    case .finish(let file):
      #expect(files[file].indices.allSatisfy { held.contains([file, $0]) })
      partials = partials.filter { $0.key[0] != file }
      found.append(.finished(file: file))
    case .complete: outcome = .complete
    case .giveUp(_, let kind): outcome = .gaveUp(kind)
    }
  }

  private mutating func start(_ order: Scheduler.Order) {
    let flight = Flight(
      order: order,
      mirror: order.source,
      position: order.range.lowerBound,
      end: order.range.upperBound,
      failsAt: failure(of: order),
      source: nil,
      isCollecting: false
    )
    check(flight)
    flights[order.transfer] = flight
    continuePartial(order)
    #expect(flights.count <= scheduler.limitOfConnections)
    #expect(
      flights.count == 1 || flights.count + partials.count <= room,
      "\(flights.count) pieces arrive, \(partials.count) wait"
    )
    let origin = mirrors[order.source].origin
    #expect(flights.values.count { mirrors[$0.mirror].origin == origin } <= 4)
  }

  private mutating func continuePartial(_ order: Scheduler.Order) {
    let piece = order.range.lowerBound / Self.pieceLength
    guard order.range.lowerBound % Self.pieceLength != 0 else { return }
    let partial = partials.removeValue(forKey: [order.file, piece])
    #expect(partial?.filled == order.range.lowerBound % Self.pieceLength)
    flights[order.transfer]?.isCollecting = true
    flights[order.transfer]?.source = partial?.source == order.source ? order.source : nil
  }

  /// No piece is asked twice at a time but for one copy, none that is held, none that the mirror gave wrong.
  private func check(_ flight: Flight) {
    let order = flight.order
    guard !mirrors[order.source].ignoresRanges else { return }
    for piece in order.range.lowerBound / Self.pieceLength..<order.range.upperBound
      / Self.pieceLength
    {
      #expect(!held.contains([order.file, piece]), "held piece \(piece) asked again")
      #expect(
        !wrong.contains([order.file, piece, order.source]),
        "wrong piece \(piece) asked again"
      )
      let others = flights.values.filter { other in
        other.order.file == order.file && !mirrors[other.mirror].ignoresRanges
          && other.position / Self.pieceLength <= piece && other.end > piece * Self.pieceLength
      }
      // A copy whose original has ended is one no more, and may be copied in its turn.
      #expect(others.count <= (order.isCopy ? 1 : 0), "piece \(piece) asked too often")
    }
  }

  private mutating func failure(of order: Scheduler.Order) -> Int? {
    guard Int.random(in: 0..<100, using: &random) < mirrors[order.source].faults else { return nil }
    return Int.random(in: order.range, using: &random)
  }

  private mutating func finish(_ id: Int, _ end: Scheduler.End) {
    guard let flight = flights.removeValue(forKey: id) else { return }
    let piece = flight.position / Self.pieceLength
    let filled = flight.position % Self.pieceLength
    var partial: Scheduler.Partial?
    if filled > 0, flight.isCollecting, !flight.order.isCopy,
      partials[[flight.order.file, piece]] == nil
    {
      partial = Scheduler.Partial(piece: piece, filled: filled, source: flight.source)
      partials[[flight.order.file, piece]] = partial
    }
    events.append(.ended(transfer: id, end, partial: partial))
  }
}

// Bytes.
extension SimulatedRun {
  private mutating func move(_ id: Int) {
    guard var flight = flights[id] else { return }
    let mirror = mirrors[flight.mirror]
    flight.turns += 1
    flights[id] = flight
    guard !mirror.isStalling, flight.turns > mirror.delay else { return }
    if flight.turns == mirror.delay + 1 {
      events.append(.connected(transfer: id))
      let range =
        mirror.ignoresRanges
        ? 0..<(files[flight.order.file].last?.upperBound ?? 0) : flight.order.range
      if mirror.ignoresRanges, flight.order.range.lowerBound > 0 {
        return finish(id, .fault(.noRanges(status: 200)))
      }
      flights[id]?.end = range.upperBound
      events.append(.answered(transfer: id, range))
      return
    }
    let count = min(mirror.rate, flight.end - flight.position)
    let stop = flight.failsAt.map { min($0, flight.position + count) } ?? flight.position + count
    collect(id, upTo: stop)
    if stop == flight.failsAt {
      finish(id, .fault(fault()))
    } else if stop >= flight.end {
      finish(
        id,
        stop == flight.order.range.upperBound || mirror.ignoresRanges ? .complete : .stopped
      )
    }
  }

  private mutating func collect(_ id: Int, upTo stop: Int) {
    guard var flight = flights[id] else { return }
    let (file, start) = (flight.order.file, flight.position)
    while flight.position < stop {
      let piece = flight.position / Self.pieceLength
      if flight.position % Self.pieceLength == 0 {
        flight.isCollecting = scheduler.brings(piece, of: file, by: id)
        flight.source = flight.mirror
      }
      let end = min(stop, (piece + 1) * Self.pieceLength)
      flight.position = end
      if end == (piece + 1) * Self.pieceLength, flight.isCollecting { judge(piece, flight) }
    }
    flights[id] = flight
    sent += stop - start
    if stop > start { events.append(.received(transfer: id, count: stop - start)) }
  }

  private mutating func judge(_ piece: Int, _ flight: Flight) {
    let order = flight.order
    if Int.random(in: 0..<100, using: &random) < mirrors[flight.mirror].wrong {
      if let source = flight.source { wrong.insert([order.file, piece, source]) }
      found.append(
        .rejected(
          file: order.file,
          piece: piece,
          transfer: order.transfer,
          source: flight.source,
          digest: SHA256Digest(of: [UInt8(flight.mirror)])
        )
      )
    } else {
      held.insert([order.file, piece])
      scheduler.credit(order.source, of: order.file)
      found.append(.verified(file: order.file, piece: piece))
    }
  }

  private mutating func fault() -> MirrorFault {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .refusedConnection("")
    case 1: .throttled(status: 503, retryAfter: .seconds(1))
    case 2: .connection(code: 56, reason: "")
    default: .closedEarly(received: 0, expected: 1)
    }
  }
}
