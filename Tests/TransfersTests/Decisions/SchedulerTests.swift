import Digests
import Testing
import Transfers

/// A run of one file in pieces of 10 bytes, told what happens and asked what to do.
private struct Scene {
  var scheduler: Scheduler
  var now: Duration = .zero
  /// The transfers that run, by source.
  var running: [Scheduler.Order] = []
  var last: [Scheduler.Action] = []
  var failure: FetchError.Kind?

  init(mirrors: Int, pieces: Int = 4, connections: Int = 1, clocks: FetchClocks = FetchClocks()) {
    var limits = Scheduler.Limits()
    limits.connections = connections
    let ranges = (0..<pieces).map { $0 * 10..<$0 * 10 + 10 }
    scheduler = Scheduler(
      files: [(size: pieces * 10, mirrors: Array(0..<mirrors))],
      origins: Array(0..<mirrors),
      limits: limits,
      clocks: clocks,
      seed: 1,
      now: .zero
    )
    tell()
    tell(.opened(file: 0, pieces: ranges, checking: [], partial: nil))
  }

  mutating func tell(_ events: Scheduler.Event...) {
    last = scheduler.step(events, now: now)
    for action in last {
      if case .start(let order) = action { running.append(order) }
      if case .giveUp(_, let kind) = action { failure = kind }
    }
  }

  /// The ranges that are asked, each with its source.
  var asked: [String] {
    last.compactMap { action in
      guard case .start(let order) = action else { return nil }
      return "\(order.source): \(order.range.lowerBound)..<\(order.range.upperBound)"
    }
  }

  mutating func end(_ end: Scheduler.End, partial: Scheduler.Partial? = nil) {
    tell(.ended(transfer: running.removeLast().transfer, end, partial: partial))
  }

  mutating func fail(_ fault: MirrorFault, partial: Scheduler.Partial? = nil) {
    end(.fault(fault), partial: partial)
  }

  /// Lets the last transfer bring the pieces before this place and have them verified.
  mutating func bring(_ pieces: Range<Int>) {
    guard let order = running.last else { return }
    tell(
      .answered(transfer: order.transfer, order.range),
      .received(transfer: order.transfer, count: pieces.count * 10)
    )
    for piece in pieces {
      scheduler.credit(order.source, of: 0)
      tell(.verified(file: 0, piece: piece))
    }
  }

  mutating func reject(_ piece: Int, found: UInt8 = 7) {
    guard let order = running.last else { return }
    tell(
      .answered(transfer: order.transfer, order.range),
      .received(transfer: order.transfer, count: 10)
    )
    tell(
      .rejected(
        file: 0,
        piece: piece,
        transfer: order.transfer,
        source: order.source,
        digest: SHA256Digest(of: [found])
      )
    )
    #expect(last.contains(.stop(transfer: order.transfer, nil)))
    end(.stopped)
  }
}

extension Scene {
  /// Lets each mirror bring its first piece.
  fileprivate mutating func passTrials() {
    now += .milliseconds(10)
    let orders = running
    running = []
    for order in orders {
      tell(
        .answered(transfer: order.transfer, order.range),
        .received(transfer: order.transfer, count: order.range.count),
        .ended(transfer: order.transfer, .complete, partial: nil)
      )
    }
    for order in orders {
      scheduler.credit(order.source, of: 0)
      tell(.verified(file: 0, piece: order.range.lowerBound / 10))
    }
  }
}

private let refused = MirrorFault.refusedConnection("Connection refused")

@Suite struct SchedulerTests {
  @Test func `with one connection the first mirror is asked for all that is missing`() {
    let scene = Scene(mirrors: 2)
    #expect(scene.asked == ["0: 0..<40"])
  }

  @Test func `an unfinished piece is asked from where it stands, of the next mirror`() {
    var scene = Scene(mirrors: 2)
    scene.bring(0..<1)
    scene.fail(
      .closedEarly(received: 14, expected: 40),
      partial: .init(piece: 1, filled: 4, source: 0)
    )
    #expect(scene.asked == ["1: 14..<40"])
  }

  @Test func `a mirror that fails hands over to the next, and stays behind it`() {
    var scene = Scene(mirrors: 2)
    scene.fail(refused)
    #expect(scene.asked == ["1: 0..<40"])
    scene.now = .seconds(5)
    scene.bring(0..<1)
    scene.end(.complete)
    #expect(scene.asked == ["1: 10..<40"])
    scene.fail(refused)
    #expect(scene.asked == ["0: 10..<40"])
  }

  @Test func `a mirror is never asked again for a piece that it gave wrong`() {
    var scene = Scene(mirrors: 2)
    scene.reject(0)
    #expect(scene.asked == ["1: 0..<40"])
    scene.fail(.throttled(status: 503, retryAfter: .seconds(9)))
    // While the second rests, the first may give what it did not spoil.
    #expect(scene.asked == ["0: 10..<40"])
    scene.bring(1..<4)
    scene.end(.complete)
    #expect(scene.scheduler.waitingUntil == .seconds(9))
    scene.now = .seconds(9)
    scene.tell()
    #expect(scene.asked == ["1: 0..<10"])
  }

  @Test func `a piece that every mirror gave wrong ends the run at once`() {
    var scene = Scene(mirrors: 2)
    scene.reject(0)
    scene.reject(0)
    #expect(scene.failure == .integrity)
    #expect(scene.scheduler.mirrorsAgreeOnWrongBytes)
  }

  @Test func `mirrors that are wrong in different ways do not agree`() {
    var scene = Scene(mirrors: 2)
    scene.reject(0, found: 1)
    scene.reject(0, found: 2)
    #expect(!scene.scheduler.mirrorsAgreeOnWrongBytes)
  }

  @Test func `a mirror without ranges is asked for the whole file, after all others`() {
    var scene = Scene(mirrors: 2)
    scene.bring(0..<2)
    scene.fail(.noRanges(status: 200))
    #expect(scene.asked == ["1: 20..<40"])
    scene.fail(.missing(status: 404))
    #expect(scene.asked == ["0: 0..<40"])
  }

  @Test(arguments: [
    MirrorFault.html(firstBytes: "<!DOCTYPE"), .contentCoding("gzip"), .denied(status: 403),
    .certificate(reason: "expired"), .throttled(status: 503, retryAfter: .seconds(301)),
    .missing(status: 404), .otherSize(announced: 1, expected: 2),
  ])
  func `a mirror that is no mirror for the file ends the run if it is the only one`(
    fault: MirrorFault
  ) {
    var scene = Scene(mirrors: 1)
    scene.fail(fault)
    #expect(scene.last == [.giveUp(file: 0, FetchError.Kind(faults: [fault]))])
  }

  @Test func `a busy mirror is left alone for as long as it asks`() {
    var scene = Scene(mirrors: 1)
    scene.fail(.throttled(status: 429, retryAfter: .seconds(7)))
    #expect(scene.scheduler.waitingUntil == .seconds(7))
    scene.now = .seconds(7)
    scene.tell()
    #expect(scene.asked == ["0: 0..<40"])
  }

  @Test func `the run ends when no byte was verified for too long and no mirror serves`() {
    var scene = Scene(mirrors: 1)
    scene.now = .seconds(119)
    scene.fail(.throttled(status: 503, retryAfter: .seconds(30)))
    #expect(scene.scheduler.waitingUntil == .seconds(120))
    scene.now = .seconds(120)
    scene.tell()
    #expect(scene.last == [.giveUp(file: 0, .network)])
  }

  @Test func `a verified byte puts the end off`() {
    var scene = Scene(mirrors: 1)
    scene.now = .seconds(100)
    scene.bring(0..<1)
    scene.now = .seconds(130)
    scene.fail(.throttled(status: 503, retryAfter: .seconds(100)))
    #expect(scene.scheduler.waitingUntil == .seconds(220))
  }

  @Test func `silence ends a request, and a mirror alone gets twice the time`() {
    var scene = Scene(mirrors: 1)
    scene.now = .seconds(10)
    scene.tell()
    let fault = MirrorFault.timedOut(.connect, after: .seconds(10))
    #expect(scene.last == [.stop(transfer: 1, fault)])
    scene.fail(fault)
    scene.now = .seconds(11)
    scene.tell()
    #expect(scene.asked == ["0: 0..<40"])
    scene.tell(.connected(transfer: 2))
    scene.now = .seconds(40)
    scene.tell()
    #expect(scene.last == [])
    scene.now = .seconds(41)
    scene.tell()
    #expect(scene.last == [.stop(transfer: 2, .timedOut(.firstByte, after: .seconds(30)))])
  }

  @Test func `several mirrors are asked at a time, each for one piece until that is verified`() {
    var scene = Scene(mirrors: 3, pieces: 1 << 20, connections: 6)
    #expect(scene.asked == ["0: 0..<10", "1: 10..<20", "2: 20..<30"])
    scene.passTrials()
    #expect(scene.running.map(\.source).sorted() == [0, 0, 1, 1, 2, 2])
    let ranges = scene.running.map(\.range)
    #expect(ranges == ranges.sorted { $0.lowerBound < $1.lowerBound })
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
  }

  @Test func `no more than three mirrors are tried at a time`() {
    let scene = Scene(mirrors: 5, pieces: 1 << 20, connections: 8)
    #expect(Set(scene.running.map(\.source)) == [0, 1, 2])
  }

  @Test func `a mirror that refuses gets fewer connections`() {
    var scene = Scene(mirrors: 1, pieces: 1 << 20, connections: 6)
    scene.passTrials()
    #expect(scene.running.count == 2)
    scene.fail(refused)
    scene.now = .seconds(1)
    scene.tell()
    #expect(scene.asked == [])
    #expect(scene.running.count == 1)
  }

  @Test func `mirrors of one origin share its connections and its pauses`() {
    var limits = Scheduler.Limits()
    limits.connections = 6
    var scheduler = Scheduler(
      files: [(size: 100, mirrors: [0, 1])],
      origins: [0, 0],
      limits: limits,
      clocks: FetchClocks(),
      seed: 1,
      now: .zero
    )
    _ = scheduler.step([], now: .zero)
    let pieces = (0..<10).map { $0 * 10..<$0 * 10 + 10 }
    let actions = scheduler.step(
      [.opened(file: 0, pieces: pieces, checking: [], partial: nil)],
      now: .zero
    )
    #expect(actions.count == 2)
    let fault = MirrorFault.throttled(status: 429, retryAfter: .seconds(5))
    let ends = (1...2).map { Scheduler.Event.ended(transfer: $0, .fault(fault), partial: nil) }
    #expect(scheduler.step(ends, now: .zero) == [])
    #expect(scheduler.waitingUntil == .seconds(5))
  }

  @Test func `a file in one piece that comes first holds up none in pieces, but another like it`() {
    var limits = Scheduler.Limits()
    limits.connections = 6
    var scheduler = Scheduler(
      files: [(size: 1000, mirrors: [0]), (size: 40, mirrors: [0]), (size: 1000, mirrors: [0])],
      origins: [0],
      limits: limits,
      clocks: FetchClocks(),
      seed: 1,
      now: .zero
    )
    _ = scheduler.step([], now: .zero)
    let whole = [0..<1000]
    let pieces = (0..<4).map { $0 * 10..<$0 * 10 + 10 }
    let asked = [(0, whole), (2, whole), (1, pieces)].map { file, pieces in
      scheduler.step(
        [.opened(file: file, pieces: pieces, checking: [], partial: nil)],
        now: .zero
      ).compactMap { action -> String? in
        guard case .start(let order) = action else { return nil }
        return "\(order.file): \(order.range)"
      }
    }
    #expect(asked == [["0: 0..<1000"], [], ["1: 0..<10"]])
  }

  @Test func `the tail of the transfer that would end last goes to a mirror with nothing to do`() {
    var scene = Scene(mirrors: 2, pieces: 8, connections: 2)
    scene.passTrials()
    let taken = scene.running
    #expect(taken.map(\.range) == [20..<80])
    // The other has nothing to do, and after a while it is clear who is slow.
    scene.now = .seconds(2)
    scene.tell(
      .answered(transfer: taken[0].transfer, 20..<80),
      .received(transfer: taken[0].transfer, count: 5)
    )
    guard case .cut(taken[0].transfer, let end)? = scene.last.first else {
      return #expect(Bool(false), "\(scene.last)")
    }
    #expect(scene.asked == ["1: \(end)..<80"])
  }

  @Test func `the last piece of a silent mirror is asked of another too, and the first copy wins`()
  {
    var scene = Scene(mirrors: 2, pieces: 1, connections: 2)
    #expect(scene.asked == ["0: 0..<10"])
    scene.now = .seconds(1)
    scene.tell()
    #expect(scene.asked == ["1: 0..<10"])
    #expect(scene.running.last?.isCopy == true)
    scene.bring(0..<1)
    #expect(scene.last.contains(.finish(file: 0)))
  }
}
