import Digests
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct FloorTests {
  private let (one, two): (SimulatedRelease, SimulatedRelease)
  private let bench: Bench

  init() throws {
    one = try .tiny("1.0.0")
    two = try .tiny("2.0.0")
    bench = try Bench()
  }

  private var floor: String { "\(bench.path)/floors/tiny.json" }

  private func downgrade(_ release: SimulatedRelease) throws -> TrustError {
    .downgrade(to: release.version, floor: two.version)
  }

  private func removeAll() throws {
    let model = try bench.model()
    try model.removeAll(holding: model.lockForInstall())
  }

  @Test func `the floor outlives removal, and generations never repeat`() throws {
    try bench.install(one)
    #expect(try bench.install(two).generation == 2)
    try removeAll()
    #expect(try bench.model().recordState() == .absent)
    #expect(throws: try downgrade(one)) { try bench.install(one) }
    #expect(try bench.model().recordState() == .absent)
    let record = try bench.install(one, consent: .anyVersion)
    #expect(record.generation == 3)
    #expect(record.previous == nil)
    #expect(try bench.model().history().floor == .at(try bench.entry(of: two)))
  }

  @Test func `the way back is open to the previous version alone`() throws {
    let zero = try SimulatedRelease.tiny("0.9.0")
    try bench.install(zero)
    try bench.install(one)
    try bench.install(two)
    #expect(throws: try downgrade(zero)) { try bench.activate(zero) }
    let back = try bench.activate(one)
    #expect(back.generation == 4)
    #expect(back.previous?.name == (try bench.name(of: two)))
    let forth = try bench.activate(two)
    #expect(forth.generation == 5)
    #expect(forth.previous?.name == (try bench.name(of: one)))
  }

  @Test func `a floor that was left behind the record is raised before the record goes back`()
    throws
  {
    let between = try SimulatedRelease.tiny("1.5.0")
    try bench.install(one)
    let old = try OpenFile(reading: floor).readAll(limit: 10_000)
    try bench.install(two)
    try Folder(path: "\(bench.path)/floors").replaceFile("tiny.json", with: old, mode: 0o600)
    try bench.activate(one)
    #expect(throws: try downgrade(between)) { try bench.install(between) }
  }

  @Test func `to activate what is active changes nothing, even below the floor`() throws {
    try bench.install(one)
    try bench.install(two)
    let back = try bench.activate(one)
    let before = try DiskTree(at: bench.path)
    #expect(try bench.activate(one) == back)
    #expect(try DiskTree(at: bench.path) == before)
  }

  @Test func `another manifest of the version at the floor is refused`() throws {
    try bench.install(two)
    var other = two
    other.details.notes = "built again"
    #expect(
      throws: TrustError.replaced(
        version: two.version,
        installed: try two.digest(),
        offered: try other.digest()
      )
    ) { try bench.install(other) }
    let model = try bench.model()
    #expect(try model.activeRecord().active.manifest == (try two.digest()))
    let names = [try bench.name(of: two), try bench.name(of: other)].sorted { $0.text < $1.text }
    #expect(throws: StoreError.ambiguousVersion(model.name, names)) {
      try model.versionName(Version("2.0.0"))
    }
  }

  @Test(arguments: ["", "\u{0}\u{0}\u{0}", "{}\nsha256:00\n"])
  func `with a damaged floor only the active and the previous version pass`(text: String) throws {
    let three = try SimulatedRelease.tiny("3.0.0")
    try bench.install(one)
    try bench.install(two)
    try bench.publish(three)
    try bench.write(text, to: floor)
    #expect(throws: TrustError.unknownFloor(candidate: three.version)) {
      try bench.activate(three)
    }
    try bench.activate(one)
    try bench.reconcile()
    #expect(try bench.read(floor) == Array(text.utf8))
    try bench.activate(two)
    #expect(try bench.activate(three, consent: .anyVersion).generation == 5)
    #expect(try bench.model().history().floor == .at(try bench.entry(of: three)))
  }

  @Test func `a lost floor is at least the active version`() throws {
    try bench.install(two)
    try Folder(path: "\(bench.path)/floors").removeFile("tiny.json")
    try bench.publish(one)
    #expect(throws: try downgrade(one)) { try bench.activate(one) }
  }

  @Test func `a floor that a killed activation did not raise is raised before the record goes`()
    throws
  {
    try bench.install(one)
    let old = try bench.read(floor)
    try bench.install(two)
    try rewrite(floor) { $0 = old }
    try removeAll()
    #expect(throws: try downgrade(one)) { try bench.install(one) }
  }

  @Test func `an accepted downgrade leaves the floor where it was`() throws {
    try bench.install(two)
    try bench.install(one, consent: .anyVersion)
    #expect(try bench.model().history().floor == .at(try bench.entry(of: two)))
    let between = try SimulatedRelease.tiny("1.5.0")
    #expect(throws: try downgrade(between)) { try bench.install(between) }
  }
}
