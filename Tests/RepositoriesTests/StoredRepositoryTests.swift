import Repositories
import TUFSimulator
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct StoredRepositoryTests {
  private static let late = RepositorySimulator.time(60 * RepositorySimulator.day)

  @Test func `what is kept can be looked up and read without a request`() async throws {
    var scene = try Scene()
    let (kept, other) = (
      try scene.addTarget("kept.json", [1, 2]), try scene.addTarget("other.json", [3])
    )
    try scene.repository.release()
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(kept))
    _ = try await session.document(found)
    let count = scene.mirrors[0].requests.count
    let before = try DiskTree(at: scene.folder)
    let stored = try scene.client().stored(
      scene.state(),
      now: RepositorySimulator.now,
      ignoringExpiry: false
    )
    #expect(try stored.find(kept) == found)
    #expect(try stored.document(found) == [1, 2])
    let missing = try #require(try stored.find(other))
    #expect(throws: RepositoryFault.notKept(file: try missing.requestPath(in: stored.metadata))) {
      try stored.document(missing)
    }
    #expect(scene.mirrors[0].requests.count == count)
    #expect(try DiskTree(at: scene.folder) == before)
  }

  @Test func `what has expired serves only where that is asked for`() async throws {
    let scene = try Scene()
    try await scene.refresh()
    let client = scene.client()
    func refusal(_ body: () throws -> Void) throws -> MetadataRefusal.Kind? {
      do { try body() } catch RepositoryFault.refused(let refusal, nil, _) { return refusal.kind }
      return nil
    }
    #expect(
      try refusal {
        _ = try client.stored(scene.state(), now: Self.late, ignoringExpiry: false)
      } == .expired
    )
    let stored = try client.stored(scene.state(), now: Self.late, ignoringExpiry: true)
    #expect(stored.metadata.isExpiryIgnored)
    #expect(scene.mirrors[0].requests.count == 4)
  }

  @Test func `a folder that has nothing is refused, and stays empty`() throws {
    let scene = try Scene()
    let folder = try scene.state()
    do {
      _ = try scene.client().stored(folder, now: RepositorySimulator.now, ignoringExpiry: true)
      Issue.record("there was something")
    } catch RepositoryFault.refused(let refusal, nil, _) {
      #expect(refusal.kind == .missing)
    }
    #expect(try DiskTree(at: scene.folder).entries.isEmpty)
  }

  @Test func `a delegated role that was never had is told`() async throws {
    var scene = try Scene()
    let path = try #require(TargetPath("x/y"))
    try scene.repository.delegate(to: "role", .paths([PathPattern("x/*")]))
    try scene.repository.release()
    scene.publish()
    try await scene.refresh()
    let stored = try scene.client().stored(
      scene.state(),
      now: RepositorySimulator.now,
      ignoringExpiry: false
    )
    #expect(throws: RepositoryFault.notKept(file: "1.role.json")) { try stored.find(path) }
    #expect(scene.mirrors[0].requests.count == 4)
  }

  @Test func `files of two states are read once more before they are refused`() async throws {
    var scene = try Scene()
    try await scene.refresh()
    let old = (try scene.kept("timestamp.json"), try scene.kept("snapshot.json"))
    try scene.repository.release()
    scene.publish()
    try await scene.refresh()
    let whole = StoredMetadata(
      pin: scene.repository.pin,
      chain: [],
      timestamp: try scene.kept("timestamp.json"),
      snapshot: try scene.kept("snapshot.json"),
      targets: try scene.kept("targets.json")
    )
    var torn = whole
    torn.snapshot = old.1
    var readings = [whole, torn]
    let trusted = try TrustedMetadata(
      settled: { readings.removeLast() },
      ignoringExpiry: false,
      now: RepositorySimulator.now
    )
    #expect(trusted.timestamp.contents.header.version == 2)
    readings = [torn, torn]
    #expect(throws: RepositoryFault.self) {
      try TrustedMetadata(
        settled: { readings.removeLast() },
        ignoringExpiry: false,
        now: RepositorySimulator.now
      )
    }
    #expect(readings.isEmpty)
  }

  @Test func `a pin that is none is told as that`() throws {
    let scene = try Scene()
    do {
      _ = try scene.client(pin: [1]).stored(
        scene.state(),
        now: RepositorySimulator.now,
        ignoringExpiry: true
      )
      Issue.record("it was taken")
    } catch RepositoryFault.badPin {}
  }

  @Test func `the roots can be had without all the rest`() async throws {
    var scene = try Scene()
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    scene.publish()
    try await scene.refresh()
    for name in ["timestamp.json", "snapshot.json", "targets.json"] {
      try scene.put([0xff], at: name)
    }
    let roots = try scene.client().keptRoots(try scene.state())
    #expect(roots.pin == scene.repository.pin)
    #expect(roots.chain == [scene.repository.files["2.root.json"]])
    #expect(roots.timestamp == nil && roots.snapshot == nil && roots.targets == nil)
    #expect(scene.mirrors[0].requests.count == 5)
  }
}
