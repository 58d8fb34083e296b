import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct RemoveTests {
  private let bench: Bench
  private let (one, two, three): (SimulatedRelease, SimulatedRelease, SimulatedRelease)

  init() throws {
    bench = try Bench()
    (one, two, three) = (try .tiny("1.0.0"), try .tiny("2.0.0"), try .tiny("3.0.0"))
  }

  private func versions() throws -> [String] {
    try bench.model().versionNames().map(\.version.text)
  }

  private func remove(_ version: String) throws -> [String] {
    let model = try bench.model()
    return try model.remove(Version(version), holding: model.lockForInstall())
      .map(\.version.text)
  }

  @Test func `the active version is not removed alone`() throws {
    try bench.install(one)
    let before = try DiskTree(at: bench.place("versions"))
    #expect(throws: StoreError.isActive(try ModelName("tiny"), one.version)) {
      try remove("1.0.0")
    }
    #expect(try DiskTree(at: bench.place("versions")) == before)
  }

  @Test func `with the previous version the way back is forgotten`() throws {
    try bench.install(one)
    try bench.install(two)
    #expect(try remove("1.0.0") == ["1.0.0"])
    let record = try bench.model().activeRecord()
    #expect(record.active.name == (try bench.name(of: two)))
    #expect(record.previous == nil)
    #expect(record.generation == 3)
    #expect(try versions() == ["2.0.0"])
    #expect(throws: TrustError.downgrade(to: one.version, floor: two.version)) {
      try bench.install(one)
    }
    #expect(try bench.activate(one, consent: .anyVersion).generation == 4)
  }

  @Test func `another version goes, with its stamp and candidates, and leaves the record alone`()
    throws
  {
    try bench.install(one)
    try bench.install(two)
    try bench.publish(three)
    let model = try bench.model()
    var other = three
    other.details.title = "other"
    do {
      let lock = try model.lockForInstall()
      try bench.fill(model.candidate(for: bench.accepted(other), holding: lock), from: other)
    }
    let record = try bench.read(bench.place("active.json"))
    #expect(try remove("3.0.0") == ["3.0.0", "3.0.0"])
    #expect(try bench.read(bench.place("active.json")) == record)
    #expect(try versions() == ["1.0.0", "2.0.0"])
    try model.emptyTrash()
    let lock = try model.lockForInstall()
    try model.reconcile(holding: lock, now: bench.now)
    lock.release()
    let left = try DiskTree(at: bench.place()).lines
    #expect(!left.contains { $0.contains("3.0.0") })
    #expect(throws: StoreError.noSuchVersion(model.name, three.version)) { try remove("3.0.0") }
  }

  @Test func `all of a model goes but its locks and its floor`() throws {
    try bench.install(one)
    try bench.install(two)
    let model = try bench.model()
    let lock = try model.lockForInstall()
    try bench.fill(model.candidate(for: bench.accepted(three), holding: lock), from: three)
    try model.removeAll(holding: lock)
    try model.emptyTrash()
    #expect(
      try DiskTree(at: bench.path).lines == [
        "0600 STORE.json", "0700 floors/", "0600 floors/tiny.json", "0700 models/",
        "0700 models/tiny/", "0600 models/tiny/install.lock", "0700 models/tiny/leases/",
        "0700 models/tiny/manifests/", "0700 models/tiny/staging/", "0700 models/tiny/stamps/",
        "0600 models/tiny/state.lock", "0700 models/tiny/trash/",
        "0600 models/tiny/trash/CACHEDIR.TAG", "0700 models/tiny/versions/",
        "0600 models/tiny/versions/CACHEDIR.TAG", "0600 store.lock",
      ]
    )
    let status = try model.status()
    #expect(status.state == .notDownloaded && status.versions.isEmpty)
  }

  @Test func `a model with a damaged record is removed when a person says so`() throws {
    try bench.install(one)
    try bench.write("", to: bench.place("active.json"))
    let model = try bench.model()
    try model.removeAll(holding: model.lockForInstall())
    #expect(try versions() == [])
    #expect(try model.recordState() == .absent)
  }

  @Test
  func `collected are the versions below the active one but the previous one and the highest two`()
    throws
  {
    let four = try SimulatedRelease.tiny("4.0.0")
    for release in [one, two, three] { try bench.install(release) }
    try bench.publish(four)
    try bench.collect()
    #expect(try versions() == ["2.0.0", "3.0.0", "4.0.0"])
    try bench.collect()
    #expect(try versions() == ["2.0.0", "3.0.0", "4.0.0"])
    #expect(try Folder(path: bench.place("trash")).entries().map(\.name) == ["CACHEDIR.TAG"])
  }

  @Test func `a version that was removed since it was verified does not become active`() throws {
    try bench.install(two)
    let verified = try bench.publish(three)
    _ = try remove("3.0.0")
    let model = try bench.model()
    #expect(throws: StoreError.noSuchVersion(model.name, three.version)) {
      try model.activate(verified, now: bench.now, as: .named(consent: .anyVersion))
    }
    #expect(try model.activeRecord().active.name == (try bench.name(of: two)))
  }

  @Test func `who is not root installs, replaces, returns and removes as well`() async {
    await #expect(processExitsWith: .success) {
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder {
        let tests = try RemoveTests()
        let bench = tests.bench
        try bench.install(tests.one)
        try bench.install(tests.two)
        try rewrite(bench.file("model.gguf", of: tests.two)) { $0[0] ^= 1 }
        try bench.publish(tests.two)
        #expect(try bench.isVerified(tests.two))
        try bench.activate(tests.one)
        try bench.install(tests.three)
        let model = try bench.model()
        try bench.collect(newest: 1)
        #expect(try tests.versions() == ["1.0.0", "3.0.0"])
        #expect(try tests.remove("1.0.0") == ["1.0.0"])
        try model.removeAll(holding: model.lockForInstall())
        #expect(try tests.versions() == [])
        try model.emptyTrash()
        #expect(try Folder(path: bench.place("trash")).entries().map(\.name) == ["CACHEDIR.TAG"])
      }
    }
  }
}
