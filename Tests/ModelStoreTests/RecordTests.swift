import Digests
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct RecordTests {
  private let (one, two): (SimulatedRelease, SimulatedRelease)
  private let bench: Bench

  init() throws {
    one = try .tiny("1.0.0")
    two = try .tiny("2.0.0")
    bench = try Bench()
  }

  private var record: String { bench.place("active.json") }

  @Test func `the record is two lines, of which the second is the digest of the first`() throws {
    try bench.install(one)
    try bench.install(two)
    let (first, second) = (try bench.name(of: one).text, try bench.name(of: two).text)
    let line = """
      {"schema":"sealift.active/1","model":"tiny","generation":2,\
      "active":{"version":"2.0.0","folder":"\(second)","manifestSha256":"\(try two.digest())"},\
      "previous":{"version":"1.0.0","folder":"\(first)","manifestSha256":"\(try one.digest())"},\
      "activatedAt":"2026-06-01T00:00:00Z"}
      """
    let seal = SHA256Digest(of: Array(line.utf8))
    let text = String(decoding: try bench.read(record), as: UTF8.self)
    #expect(text == "\(line)\nsha256:\(seal)\n")
  }

  @Test(arguments: [
    (#""version":"2.0.0""#, #""version":"1.0.0""#),
    (#""generation":2"#, #""generation":9007199254740991"#),
  ])
  func `a record with a right seal and facts that cannot be is damaged`(
    old: String,
    new: String
  ) throws {
    try bench.install(one)
    try bench.install(two)
    let text = String(decoding: try bench.read(record), as: UTF8.self)
    let line = text.split(separator: "\n")[0].replacing(old, with: new, maxReplacements: 1)
    try bench.write("\(line)\nsha256:\(SHA256Digest(of: Array(line.utf8)))\n", to: record)
    #expect(try bench.model().recordState() == .damaged)
  }

  @Test func `every torn, flipped or zeroed record is damaged, and never another one`() throws {
    try bench.install(one)
    try bench.install(two)
    let model = try bench.model()
    let good = try bench.read(record)
    func expectDamage(_ what: String, _ bytes: [UInt8]) throws {
      try rewrite(record) { $0 = bytes }
      let state = try model.recordState()
      #expect(state == .damaged, "\(what)")
    }
    for count in 0..<good.count { try expectDamage("cut at \(count)", Array(good[..<count])) }
    for index in good.indices {
      var flipped = good
      flipped[index] ^= 1
      try expectDamage("flip at \(index)", flipped)
      let zeros = [UInt8](repeating: 0, count: good.count - index)
      try expectDamage("zeros from \(index)", good[..<index] + zeros)
    }
    for more in ["\n", " ", "{}\n"] { try expectDamage("longer", good + more.utf8) }
    try rewrite(record) { $0 = good }
    #expect(try model.activeRecord().active.version.text == "2.0.0")
  }

  @Test func `the record of another model is damaged here`() throws {
    try bench.install(one)
    try bench.install(SimulatedRelease.tiny(model: "other"))
    let other = try bench.read("\(bench.path)/models/other/active.json")
    try rewrite(record) { $0 = other }
    #expect(try bench.model().recordState() == .damaged)
    #expect(try bench.model("other").activeRecord().model.text == "other")
  }

  @Test func `while the record is damaged nothing is deleted`() throws {
    try bench.install(one)
    try bench.install(two)
    try bench.publish(try .tiny("3.0.0"))
    try bench.write("", to: record)
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let before = try DiskTree(at: bench.place("versions"))
    try model.reconcile(holding: lock, now: bench.now)
    try bench.collect()
    #expect(throws: StoreError.damagedRecord(model.name, choices: try model.versionNames())) {
      try model.remove(Version("1.0.0"), holding: lock)
    }
    #expect(throws: StoreError.damagedRecord(model.name, choices: try model.versionNames())) {
      try model.activeRecord()
    }
    #expect(try model.status().state == .failed)
    #expect(try DiskTree(at: bench.place("versions")) == before)
    #expect(try bench.read(record) == [])
  }

  @Test(arguments: ["", "\u{0}\u{0}", "{}\nsha256:00\n"])
  func `an activation heals the record, and what was current is the way back`(text: String) throws {
    try bench.install(one)
    try bench.install(two)
    let three = try SimulatedRelease.tiny("3.0.0")
    try bench.publish(three)
    try bench.write(text, to: record)
    let healed = try bench.activate(three)
    #expect(healed.active.name == (try bench.name(of: three)))
    #expect(healed.previous?.name == (try bench.name(of: two)))
    #expect(healed.previous?.manifest == (try two.digest()))
    #expect(healed.generation == 3)
    #expect(try bench.activate(two).generation == 4)
  }

  @Test func `healing with the version that was current leaves no way back`() throws {
    try bench.install(one)
    try bench.install(two)
    try bench.write("", to: record)
    let healed = try bench.activate(two)
    #expect(healed.active.name == (try bench.name(of: two)))
    #expect(healed.previous == nil)
    #expect(healed.generation == 3)
  }

  @Test func `there is nothing active before the first activation`() throws {
    try bench.publish(one)
    let model = try bench.model()
    #expect(try model.recordState() == .absent)
    #expect(throws: StoreError.nothingActive(model.name)) { try model.activeRecord() }
  }
}
