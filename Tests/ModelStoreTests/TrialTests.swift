import Digests
import Manifests
import ModelStore
import ReleaseSimulator
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct TrialTests {
  private let bench: Bench
  private let (one, two, three): (SimulatedRelease, SimulatedRelease, SimulatedRelease)

  init() throws {
    bench = try Bench()
    (one, two, three) = (try .tiny("1.0.0"), try .tiny("2.0.0"), try .tiny("3.0.0"))
    try bench.install(one)
  }

  @discardableResult
  private func activate(
    _ release: SimulatedRelease,
    trial: Int?
  ) throws -> ActiveRecord {
    let version = try bench.publish(release)
    return try bench.model().activate(
      version,
      now: bench.now,
      as: .named(consent: .returnToPrevious, trial: trial)
    )
  }

  private func start(_ release: SimulatedRelease) throws -> TrialStart {
    try bench.model().countStart(of: bench.name(of: release))
  }

  @Test func `each start is counted before it happens, until none is left`() throws {
    let record = try activate(two, trial: 2)
    #expect(record.triesLeft == 2)
    #expect(record.previous?.name == (try bench.name(of: one)))
    #expect(try start(two) == .counted(left: 1))
    #expect(try start(two) == .counted(left: 0))
    let last = try bench.model().activeRecord()
    #expect(try start(two) == .usedUp(last))
    #expect(last.generation == 4)
    #expect(try bench.model().activeRecord() == last)
    #expect(try start(one) == .notOnTrial)
  }

  @Test func `the floor rises when the version is marked good, not before`() throws {
    try activate(two, trial: 1)
    #expect(try bench.model().history().floor == .at(try bench.entry(of: one)))
    let model = try bench.model()
    #expect(try model.markGood(bench.name(of: two)).record?.triesLeft == nil)
    #expect(try model.history().floor == .at(try bench.entry(of: two)))
    #expect(try model.activeRecord().previous?.name == (try bench.name(of: one)))
    let record = try model.activeRecord()
    #expect(try model.markGood(bench.name(of: two)) == .good(record))
  }

  @Test func `a trial needs something to return to`() throws {
    let bench = try Bench()
    let model = try bench.model("other")
    let version = try bench.publish(SimulatedRelease.tiny(model: "other"))
    #expect(throws: StoreError.noFallback(model.name)) {
      try model.activate(version, now: bench.now, as: .named(consent: .none, trial: 3))
    }
    #expect(try model.recordState() == .absent)
  }

  @Test func `a version that was never good is not what another one returns to`() throws {
    try activate(two, trial: 5)
    let record = try activate(three, trial: 5)
    #expect(record.previous?.name == (try bench.name(of: one)))
    let back = try bench.activate(one)
    #expect(back.previous?.name == (try bench.name(of: three)))
  }

  @Test func `the active version is not put on trial after the fact, but released from it`() throws
  {
    let good = try activate(one, trial: 3)
    #expect(good.triesLeft == nil && good.generation == 1)
    try activate(two, trial: 3)
    #expect(try activate(two, trial: nil).triesLeft == nil)
  }

  @Test func `a decision about another active version than the one that is there is refused`()
    throws
  {
    let record = try activate(two, trial: nil)
    let version = try bench.publish(one)
    let model = try bench.model()
    #expect(throws: StoreError.changedMeanwhile(model.name)) {
      try model.activate(
        version,
        now: bench.now,
        as: .returning(from: try #require(record.previous))
      )
    }
    #expect(try model.activeRecord() == record)
  }

  @Test func `members that a later program has written outlive this one`() throws {
    var line = String(decoding: try bench.read(bench.place("active.json")), as: UTF8.self)
      .split(separator: "\n")[0]
    line.removeLast()
    line += #","future":{"a":[1,true]}}"#
    let seal = SHA256Digest(of: Array(line.utf8))
    try bench.write("\(line)\nsha256:\(seal)\n", to: bench.place("active.json"))
    try activate(two, trial: 2)
    _ = try start(two)
    let text = String(decoding: try bench.read(bench.place("active.json")), as: UTF8.self)
    #expect(text.contains(#","state":"trial","triesLeft":1,"future":{"a":[1,true]}}"#))
  }

  @Test func `bad versions have a reason, which a good mark or a person's choice takes away`()
    throws
  {
    try activate(two, trial: nil)
    let model = try bench.model()
    let name = try bench.name(of: one)
    try model.markBad(name, reason: "it stutters", now: bench.now)
    try model.markBad(name, reason: "it lies", now: bench.now)
    #expect(try model.badVersions().marks?.marks.map(\.reason) == ["it lies"])
    try model.markGood(name)
    #expect(try model.badVersions().marks?.marks == [])
    try model.markBad(name, reason: "again", now: bench.now)
    try bench.activate(one)
    #expect(try model.badVersions().marks?.marks == [])
  }

  @Test func `the version to which a trial returns is not removed before the trial has ended`()
    throws
  {
    try activate(two, trial: 2)
    let model = try bench.model()
    let error = StoreError.isFallback(model.name, one.version, of: two.version)
    #expect(throws: error) { try model.remove(one.version, holding: model.lockForInstall()) }
    #expect(try bench.isVerified(one, isFull: false))
    try model.markGood(bench.name(of: two))
    #expect(try model.remove(one.version, holding: model.lockForInstall()).count == 1)
  }

  @Test func `a list of bad versions that cannot be read is no list without marks`() throws {
    try activate(two, trial: nil)
    let model = try bench.model()
    let name = try bench.name(of: one)
    try model.markBad(name, reason: "it lies", now: bench.now)
    try bench.write("torn", to: bench.place("bad.json"))
    let error = StoreError.damagedMarks(model.name, file: "bad.json")
    #expect(throws: error) { try model.badMark(of: name) }
    #expect(try !model.mayActivateByItself(name))
    #expect(throws: error) { try model.markBad(name, reason: "again", now: bench.now) }
    #expect(throws: error) { try model.markGood(name) }
    let version = try bench.publish(one)
    #expect(throws: error) {
      try model.activate(
        version,
        now: bench.now,
        as: .returning(from: model.activeRecord().active)
      )
    }
    #expect(try bench.read(bench.place("bad.json")) == Array("torn".utf8))
    // A person who names a version need not know what was said of it.
    try bench.activate(one)
    #expect(try bench.read(bench.place("bad.json")) == Array("torn".utf8))
  }

  @Test func `an active version that is marked bad and stays has failed`() throws {
    let model = try bench.model()
    try model.markBad(bench.name(of: one), reason: "no", now: bench.now)
    #expect(try model.status().state == .failed)
    try bench.write("torn", to: bench.place("bad.json"))
    #expect(try model.badVersions() == .damaged)
    #expect(try model.removeDamagedMarks() == ["bad.json"])
    #expect(try model.status().state == .active)
  }
}
