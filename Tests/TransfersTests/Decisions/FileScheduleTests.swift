import Digests
import Testing
import Transfers

/// A schedule with its standings and a clock: four pieces of 10 bytes unless told otherwise.
private struct Scene {
  var schedule: FileSchedule
  var standings: MirrorStandings
  var now: Duration = .zero

  init(mirrors: Int, pieces: [Range<Int>] = stride(from: 0, to: 40, by: 10).map { $0..<$0 + 10 }) {
    schedule = FileSchedule(
      pieces: pieces,
      mirrors: Array(0..<mirrors),
      clocks: FetchClocks(),
      now: .zero
    )
    standings = MirrorStandings(count: mirrors)
  }

  mutating func next() -> FileSchedule.Step { schedule.next(now: now, standings: standings) }

  mutating func fail(_ source: Int, _ fault: MirrorFault, roll: Double = 1) {
    standings.failed(source, fault, now: now, roll: roll)
    schedule.failed(source, fault, standings: &standings)
  }

  mutating func verify(_ pieces: Range<Int>, from source: Int) {
    for piece in pieces {
      standings.verified(by: source)
      schedule.hold(piece, now: now)
    }
  }

  mutating func reject(_ piece: Int, from source: Int, found: UInt8 = 7) {
    let digest = SHA256Digest(of: [found])
    schedule.reject(piece, from: source, digest: digest)
    fail(source, .wrongBytes(chunk: piece, found: digest))
  }

  var failure: FetchError.Kind { schedule.failure(standings: standings) }
}

private let refused = MirrorFault.refusedConnection("Connection refused")

@Suite struct FileScheduleTests {
  @Test func `the first mirror is asked for all that is missing in one span`() {
    var scene = Scene(mirrors: 2)
    #expect(scene.next() == .ask(source: 0, 0..<40))
  }

  @Test func `a span ends where verified pieces begin`() {
    var scene = Scene(mirrors: 1)
    scene.schedule.hold(0, now: .zero)
    scene.schedule.hold(2, now: .zero)
    #expect(scene.next() == .ask(source: 0, 10..<20))
    scene.verify(1..<2, from: 0)
    #expect(scene.next() == .ask(source: 0, 30..<40))
    scene.verify(3..<4, from: 0)
    #expect(scene.next() == .finish)
  }

  @Test func `a span is no longer than its limit unless one piece is`() {
    let limit = FileSchedule.spanLimit
    var scene = Scene(mirrors: 1, pieces: [0..<limit - 1, limit - 1..<limit, limit..<limit + 5])
    #expect(scene.next() == .ask(source: 0, 0..<limit))
    var whole = Scene(mirrors: 1, pieces: [0..<3 * limit])
    #expect(whole.next() == .ask(source: 0, 0..<3 * limit))
  }

  @Test func `an unfinished piece is asked from where it stands`() {
    var scene = Scene(mirrors: 2)
    scene.verify(0..<1, from: 0)
    scene.schedule.partial = .init(piece: 1, filled: 4, source: 0)
    scene.fail(0, .closedEarly(received: 14, expected: 40))
    #expect(scene.next() == .ask(source: 1, 14..<40))
  }

  @Test func `a piece that two mirrors spoilt together comes whole from one`() {
    var scene = Scene(mirrors: 2)
    scene.schedule.distrust(0)
    #expect(scene.next() == .ask(source: 0, 0..<40))
    scene.schedule.partial = .init(piece: 0, filled: 4, source: 0)
    #expect(scene.next() == .ask(source: 0, 4..<40))
    scene.fail(0, refused)
    #expect(scene.next() == .ask(source: 1, 0..<40))
  }

  @Test func `a mirror that fails hands over to the next, and is not preferred when it is back`() {
    var scene = Scene(mirrors: 2)
    scene.fail(0, refused)
    #expect(scene.next() == .ask(source: 1, 0..<40))
    scene.now = .seconds(5)
    scene.verify(0..<1, from: 1)
    #expect(scene.next() == .ask(source: 1, 10..<40))
    scene.fail(1, refused)
    #expect(scene.next() == .ask(source: 0, 10..<40))
  }

  @Test func `a mirror is never asked again for a piece that it gave wrong`() {
    var scene = Scene(mirrors: 2)
    scene.reject(0, from: 0)
    #expect(scene.next() == .ask(source: 1, 0..<40))
    scene.fail(1, refused)
    // While the second rests, the first may give what it did not spoil.
    #expect(scene.next() == .ask(source: 0, 10..<40))
    scene.verify(1..<4, from: 0)
    #expect(scene.next() == .wait(until: .milliseconds(250)))
    scene.now = .milliseconds(250)
    #expect(scene.next() == .ask(source: 1, 0..<10))
  }

  @Test func `two wrong pieces end a mirror's part in the file`() {
    var scene = Scene(mirrors: 2)
    scene.reject(0, from: 0)
    scene.reject(1, from: 0)
    scene.fail(1, refused)
    #expect(scene.next() == .wait(until: .milliseconds(250)))
  }

  @Test func `a piece that every mirror gave wrong ends the run at once`() {
    var scene = Scene(mirrors: 2)
    scene.reject(2, from: 0)
    scene.reject(2, from: 1)
    #expect(scene.next() == .giveUp)
    #expect(scene.failure == .integrity)
    #expect(scene.schedule.mirrorsAgreeOnWrongBytes)
  }

  @Test func `mirrors that are wrong in different ways do not agree`() {
    var scene = Scene(mirrors: 2)
    scene.reject(2, from: 0, found: 1)
    scene.reject(2, from: 1, found: 2)
    #expect(!scene.schedule.mirrorsAgreeOnWrongBytes)
  }

  @Test func `a mirror without ranges is asked for the whole file, after all others`() {
    var scene = Scene(mirrors: 2)
    scene.verify(0..<2, from: 0)
    scene.fail(0, .noRanges(status: 200))
    #expect(scene.next() == .ask(source: 1, 20..<40))
    scene.fail(1, .missing(status: 404))
    #expect(scene.next() == .ask(source: 0, 0..<40))
  }

  @Test func `a mirror without the file is asked for other files`() {
    var scene = Scene(mirrors: 1)
    scene.fail(0, .missing(status: 404))
    #expect(scene.next() == .giveUp)
    #expect(scene.failure == .missing)
    var other = FileSchedule(pieces: [0..<5], mirrors: [0], clocks: FetchClocks(), now: .zero)
    #expect(other.next(now: .zero, standings: scene.standings) == .ask(source: 0, 0..<5))
  }

  @Test(arguments: [
    MirrorFault.html(firstBytes: "<!DOCTYPE"), .contentCoding("gzip"), .denied(status: 403),
    .certificate(reason: "expired"), .throttled(status: 503, retryAfter: .seconds(301)),
  ])
  func `a mirror that is no mirror is asked for nothing more`(fault: MirrorFault) {
    var scene = Scene(mirrors: 1)
    scene.fail(0, fault)
    var other = FileSchedule(pieces: [0..<5], mirrors: [0], clocks: FetchClocks(), now: .zero)
    #expect(other.next(now: .seconds(1), standings: scene.standings) == .giveUp)
  }

  @Test func `a mirror that spoils three files is asked for nothing more`() {
    var standings = MirrorStandings(count: 1)
    let fault = MirrorFault.otherSize(announced: 1, expected: 2)
    for file in 0..<4 {
      var schedule = FileSchedule(pieces: [0..<5], mirrors: [0], clocks: FetchClocks(), now: .zero)
      let step = schedule.next(now: .zero, standings: standings)
      #expect(step == (file < 3 ? .ask(source: 0, 0..<5) : .giveUp))
      standings.failed(0, fault, now: .zero, roll: 0)
      schedule.failed(0, fault, standings: &standings)
    }
  }

  @Test func `a busy mirror is left alone for as long as it asks`() {
    var scene = Scene(mirrors: 1)
    scene.fail(0, .throttled(status: 429, retryAfter: .seconds(7)), roll: 0)
    #expect(scene.next() == .wait(until: .seconds(7)))
    scene.now = .seconds(7)
    #expect(scene.next() == .ask(source: 0, 0..<40))
  }

  @Test func `the run ends when no byte was verified for too long and no mirror serves`() {
    var scene = Scene(mirrors: 2)
    scene.now = .seconds(119)
    scene.fail(0, refused)
    scene.fail(1, .throttled(status: 503, retryAfter: .seconds(30)))
    #expect(scene.next() == .wait(until: .milliseconds(119_250)))
    scene.now = .milliseconds(119_250)
    #expect(scene.next() == .ask(source: 0, 0..<40))
    scene.fail(0, refused)
    #expect(scene.next() == .wait(until: .milliseconds(119_750)))
    scene.now = .seconds(120)
    scene.fail(0, refused)
    #expect(scene.next() == .giveUp)
    #expect(scene.failure == .network)
  }

  @Test func `a verified byte puts the end off`() {
    var scene = Scene(mirrors: 1)
    scene.now = .seconds(100)
    scene.verify(0..<1, from: 0)
    scene.now = .seconds(130)
    scene.fail(0, refused)
    #expect(scene.next() == .wait(until: .milliseconds(130_250)))
  }

  @Test func `a mirror alone gets twice the time after each time-out`() {
    var scene = Scene(mirrors: 2)
    scene.fail(0, .timedOut(.idle, after: .seconds(10)))
    #expect(scene.clocks(0).idle == .seconds(10))
    scene.fail(1, .missing(status: 404))
    #expect(scene.clocks(0).idle == .seconds(20))
    #expect(scene.clocks(0).firstByte == .seconds(30))
    scene.fail(0, .timedOut(.idle, after: .seconds(20)))
    scene.fail(0, .timedOut(.idle, after: .seconds(40)))
    scene.fail(0, .timedOut(.idle, after: .seconds(80)))
    #expect(scene.clocks(0).idle == .seconds(120))
    scene.now = .seconds(70)
    #expect(scene.clocks(0).idle == .seconds(50))
    scene.verify(0..<1, from: 0)
    #expect(scene.clocks(0).idle == .seconds(10))
  }

  @Test(arguments: [
    ([MirrorFault.unresolvedName(host: "a"), .noRoute("no route")], FetchError.Kind.offline),
    ([.unresolvedName(host: "a"), refused], .network),
    ([.denied(status: 401), .denied(status: 403)], .auth),
    ([.html(firstBytes: ""), .certificate(reason: "x")], .protocolViolation),
    ([.missing(status: 404), .missing(status: 410)], .missing),
    ([.missing(status: 404), .otherDigest(announced: .ofNothing)], .integrity),
    ([.wrongBytes(chunk: 0, found: .ofNothing), refused], .network),
    ([.missing(status: 404), .denied(status: 403)], .auth),
  ])
  func `the class of the failure is that of all faults together`(
    faults: [MirrorFault],
    kind: FetchError.Kind
  ) {
    var scene = Scene(mirrors: faults.count)
    for (source, fault) in faults.enumerated() { scene.fail(source, fault) }
    #expect(scene.failure == kind)
  }
}

extension Scene {
  fileprivate func clocks(_ source: Int) -> FetchClocks {
    schedule.clocks(for: source, now: now, standings: standings)
  }
}
