import Foundation
import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ReconcilerTests {
  private let client: Client
  private let (one, two, three): (SimulatedRelease, SimulatedRelease, SimulatedRelease)

  init() async throws {
    client = try Client()
    (one, two, three) = (try .tiny("1.0.0"), try .tiny("2.0.0"), try .tiny("3.0.0"))
    try await client.install(one)
    try await client.install(two)
  }

  private func name(_ version: String) throws -> VersionName {
    try client.model().versionName(Version(version))
  }

  private var reconciler: Reconciler { Reconciler(now: client.now) { client.policy } }

  private func reconcile() async throws -> [ReconcileStep] {
    try await reconciler.reconcile(try client.model())
  }

  private func repair() async throws -> [ReconcileStep] {
    try await reconciler.repair(try client.model())
  }

  private func damage(_ version: String) throws {
    try rewrite(client.file("model.gguf", version)) { $0[3_000] ^= 1 }
  }

  @Test func `a store that is as it should be is left alone, and no policy is asked`() async throws
  {
    let before = try DiskTree(at: client.path)
    let silent = Reconciler(now: client.now) { throw SupportError.notStarted("policy") }
    #expect(try silent.plan(try client.model()) == [])
    #expect(try await silent.reconcile(try client.model()) == [])
    #expect(try DiskTree(at: client.path) == before)
  }

  @Test func `a damaged active version gives way to the one before, and keeps its bytes`()
    async throws
  {
    let (old, new) = (try name("1.0.0"), try name("2.0.0"))
    try damage("2.0.0")
    #expect(try reconciler.plan(try client.model()) == [.verify(new)])
    #expect(try await reconcile() == [.rollBack(from: new, to: old)])
    #expect(try client.active() == "1.0.0")
    #expect(try client.has(one))
    #expect(try client.versions() == ["1.0.0", "2.0.0"])
    #expect(try await reconcile() == [])
    guard case .at(let floor) = try client.model().history().floor else {
      Issue.record("there is no floor")
      return
    }
    #expect(floor.version == two.version)
  }

  @Test(arguments: [true, false])
  func `while the marks cannot be read nothing returns by itself`(isLost: Bool) async throws {
    let marks = "\(client.path)/models/tiny/bad.json"
    try replaceFile(at: marks, with: Array("torn".utf8), mode: 0o600)
    let lost = try name("2.0.0")
    if isLost {
      try Folder(path: "\(client.path)/models/tiny/versions").removeTree(lost.text)
    } else {
      try damage("2.0.0")
    }
    _ = try await reconcile()
    #expect(try client.active() == "2.0.0")
    let planned = try reconciler.plan(try client.model())
    #expect(planned.last == .removeLeftover("bad.json"))
    let done = try await repair()
    #expect(done == [.removeLeftover("bad.json")], "the marks go only after all else")
    #expect(try client.active() == "2.0.0")
    #expect(try await reconcile() == [.rollBack(from: lost, to: try name("1.0.0"))])
  }

  @Test func `a folder among the versions without any manifest goes, and is told before`()
    async throws
  {
    let odd = try #require(VersionName("9.9.9-0123456789abcdef"))
    _ = try Folder(creating: "\(client.path)/models/tiny/versions/\(odd.text)", mode: 0o700)
    #expect(try reconciler.plan(try client.model()) == [.makeLease(odd), .discard(odd)])
    #expect(try await repair() == [.makeLease(odd), .discard(odd)])
    #expect(try reconciler.plan(try client.model()) == [])
    #expect(try await repair() == [])
  }

  @Test(arguments: [true, false])
  func `a version that is marked bad does not return by itself`(isLost: Bool) async throws {
    try client.model().markBad(name("1.0.0"), reason: "wrong", now: client.now)
    if isLost {
      let versions = try Folder(path: "\(client.path)/models/tiny/versions")
      try versions.removeTree(name("2.0.0").text)
    } else {
      try damage("2.0.0")
    }
    let planned = try reconciler.plan(try client.model())
    #expect(!planned.contains { if case .rollBack = $0 { true } else { false } })
    _ = try await reconcile()
    #expect(try client.active() == "2.0.0")
    #expect(try client.model().badMark(of: name("1.0.0")) != nil)
  }

  @Test func `a version that only looks changed is read and stays`() async throws {
    try setMode(of: client.file("model.gguf", "2.0.0"), 0o440)
    #expect(try client.model().status().state == .failed)
    #expect(try await reconcile() == [.verify(try name("2.0.0"))])
    #expect(try client.model().status().state == .active)
    #expect(try client.active() == "2.0.0")
  }

  @Test func `the one before is believed only when every byte of it is right`() async throws {
    let path = try client.file("model.gguf", "1.0.0")
    // As a bad sector does it, with nothing to see from outside: the stamp is made to match again.
    try damage("2.0.0")
    try damage("1.0.0")
    let record = try client.model().activeRecord()
    #expect(try await reconcile() == [])
    #expect(try client.model().activeRecord() == record)
    #expect(try client.model().status().state == .failed)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a lost active version gives way too, and one that nobody chose is not activated`()
    async throws
  {
    var request = try client.request(three, from: [try client.localMirror(of: three)])
    request.activates = false
    try await client.install(request)
    let lost = try name("2.0.0")
    try Folder(path: "\(client.path)/models/tiny/versions").removeTree(lost.text)
    #expect(
      try await reconcile() == [
        .removeLeftover("stamps/\(lost.text).json"), .removeLease(lost),
        .rollBack(from: lost, to: try name("1.0.0")),
      ]
    )
    #expect(try client.active() == "1.0.0")
    try damage("1.0.0")
    _ = try await reconcile()
    #expect(try client.active() == "1.0.0")
    #expect(try client.model().status().state == .failed)
  }

  @Test func `trust that was withdrawn rolls nothing back`() async throws {
    try damage("2.0.0")
    let nobody = Reconciler(now: client.now) { TrustPolicy() }
    #expect(try await nobody.reconcile(try client.model()) == [])
    #expect(try client.active() == "2.0.0")
  }

  @Test(arguments: ["", "torn", nil] as [String?])
  func `a record that is lost is written anew for the version that was current`(
    text: String?
  ) async throws {
    let record = "\(client.path)/models/tiny/active.json"
    if let text {
      try replaceFile(at: record, with: Array(text.utf8), mode: 0o600)
    } else {
      try FileManager.default.removeItem(atPath: record)
    }
    #expect(try await reconcile() == [])
    #expect(try client.model().recordState().record == nil)
    #expect(try reconciler.plan(try client.model()) == [.writeRecord(try name("2.0.0"))])
    #expect(try await repair() == [.writeRecord(try name("2.0.0"))])
    #expect(try client.active() == "2.0.0")
    #expect(try client.model().activeRecord().generation == 3)
  }

  @Test func `a record that is written anew replaces no floor that cannot be read`() async throws {
    let floor = "\(client.path)/floors/tiny.json"
    try FileManager.default.removeItem(atPath: "\(client.path)/models/tiny/active.json")
    try replaceFile(at: floor, with: Array("torn".utf8), mode: 0o600)
    #expect(try await repair() == [.writeRecord(try name("2.0.0"))])
    #expect(try client.active() == "2.0.0")
    #expect(try client.model().history().floor == .unreadable)
  }

  @Test func `a lost record stays lost where the version that was current is damaged`() async throws
  {
    try replaceFile(at: "\(client.path)/models/tiny/active.json", with: [], mode: 0o600)
    try damage("2.0.0")
    let versions = try client.versions()
    #expect(try await repair() == [])
    #expect(try client.model().recordState() == .damaged)
    #expect(try client.versions() == versions)
  }

  @Test func `a repair reads what has no proof, and takes away what is damaged and not wanted`()
    async throws
  {
    var request = try client.request(three, from: [try client.localMirror(of: three)])
    request.activates = false
    try await client.install(request)
    let (first, last) = (try name("1.0.0"), try name("3.0.0"))
    try FileManager.default.removeItem(
      atPath: "\(client.path)/models/tiny/stamps/\(first.text).json"
    )
    try damage("3.0.0")
    try replaceFile(at: "\(client.path)/models/tiny/pins.json", with: [], mode: 0o600)
    let plan: [ReconcileStep] = [.verify(first), .verify(last), .removeLeftover("pins.json")]
    #expect(try reconciler.plan(try client.model()) == plan)
    let done: [ReconcileStep] = [.verify(first), .discard(last), .removeLeftover("pins.json")]
    #expect(try await repair() == done)
    #expect(try client.versions() == ["1.0.0", "2.0.0"])
    #expect(try reconciler.plan(try client.model()) == [])
  }
}
