import Repositories
import SystemFiles
import TUFSimulator
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RepositoryFolderTests {
  @Test(arguments: ["timestamp.json", "snapshot.json", "targets.json", "root.json"])
  func `what cannot be ours is as good as absent, and replaced`(name: String) async throws {
    let scene = try Scene()
    try await scene.refresh()
    let outside = TemporaryFolder.path("outside")
    for spoiled in [[], Array("{}".utf8), [UInt8](repeating: 0x20, count: 6_000_000)] {
      try scene.put(spoiled, at: name)
      try await scene.refresh()
      #expect(try scene.kept(name) != spoiled)
    }
    try replaceFile(at: outside, with: [7], mode: 0o600)
    let folder = try Folder(path: scene.folder)
    try folder.removeFile(name)
    try folder.replaceLink(name, target: outside)
    try await scene.refresh()
    #expect(try folder.status(of: name)?.kind == .file)
    #expect(try readFile(at: outside, limit: 9) == [7])
  }

  @Test func `a lone root in the folder is not trusted`() async throws {
    var scene = try Scene()
    try await scene.refresh()
    // Signed by itself alone: no chain leads to it.
    var other = try RepositorySimulator(keys: [
      .root: [SimulatedKey("thief")], .timestamp: [SimulatedKey("thief")],
      .snapshot: [SimulatedKey("thief")], .targets: [SimulatedKey("thief")],
    ])
    other.root.header.version = 2
    try other.publishRoot()
    let forged = try #require(other.files["2.root.json"])
    try scene.put(forged, at: "root.json")
    _ = try Folder(path: scene.folder).makeFolder("roots", mode: 0o700)
    try scene.put(forged, at: "roots/2.root.json")
    #expect(try await scene.refresh().metadata.root.bytes == scene.repository.pin)
    #expect(try scene.kept("root.json") == scene.repository.pin)
    // The real next root takes its place.
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    scene.publish()
    try await scene.refresh()
    #expect(try scene.kept("roots/2.root.json") == scene.repository.files["2.root.json"])
  }

  @Test func `a chain with a gap is fetched again from there`() async throws {
    var scene = try Scene()
    for name in ["b", "c", "d"] { try scene.repository.rotate(.root, to: [SimulatedKey(name)]) }
    scene.publish()
    try await scene.refresh()
    try Folder(path: scene.folder).openFolder("roots").removeFile("3.root.json")
    let session = try await scene.refresh()
    #expect(session.metadata.root.contents.header.version == 4)
    #expect(scene.asked().filter { $0 == "3.root.json" }.count == 2)
    #expect(try scene.kept("roots/3.root.json") == scene.repository.files["3.root.json"])
  }

  @Test func `a pin that is newer than the chain wins`() async throws {
    var scene = try Scene()
    try await scene.refresh()
    for name in ["b", "c"] { try scene.repository.rotate(.root, to: [SimulatedKey(name)]) }
    scene.publish()
    let pin = try #require(scene.repository.files["3.root.json"])
    let session = try await scene.refresh(pin: pin)
    #expect(session.metadata.root.bytes == pin)
    #expect(try scene.kept("root.json") == pin)
    #expect(scene.asked().suffix(2) == ["4.root.json", "timestamp.json"])
  }

  @Test func `what killed runs have left is taken away, and nothing else`() async throws {
    let scene = try Scene()
    try await scene.refresh()
    let left = ".new-0123456789abcdef0123456789abcdef"
    try scene.put([1], at: left)
    try scene.put([1], at: "note.txt")
    try await scene.refresh()
    #expect(try scene.kept(left) == nil)
    #expect(try scene.kept("note.txt") == [1])
  }

  @Test(arguments: ["roots", "documents", "accepted"])
  func `what killed runs have left below is taken away too`(place: String) async throws {
    var scene = try Scene()
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    scene.publish()
    try await scene.refresh()
    let left = "\(place)/.new-0123456789abcdef0123456789abcdef"
    _ = try Folder(path: scene.folder).makeFolder(place, mode: 0o700)
    try scene.put([1], at: left)
    try scene.put([1], at: "\(place)/note.txt")
    try await scene.refresh()
    #expect(try scene.kept(left) == nil)
    #expect(try scene.kept("\(place)/note.txt") == [1])
  }

  @Test func `whoever locks the folder of targets keeps nobody out`() async throws {
    var scene = try Scene()
    let path = try scene.addTarget("a", [1])
    try scene.repository.release()
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    let held = try Folder(path: scene.folder).makeFolder("documents", mode: 0o700)
    #expect(try held.lock())
    #expect(try await session.document(found) == [1])
    #expect(try held.entries().map(\.name) == ["a"])
  }

  @Test func `a folder in the place of a file is told as what it is`() async throws {
    let scene = try Scene()
    _ = try scene.state()
    try Folder(path: scene.folder).createFolder("timestamp.json", mode: 0o700)
    await #expect(throws: SystemError.self) { try await scene.refresh() }
    #expect(scene.asked() == ["2.root.json", "timestamp.json"])
  }

  @Test func `the modes are those that were asked for`() async throws {
    var scene = try Scene()
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    let path = try scene.addTarget("a", [1])
    try scene.repository.release()
    scene.publish()
    let modes = RepositoryFolder.Modes(folder: 0o755, file: 0o644, lockFile: 0o600)
    let folder = RepositoryFolder(
      try Folder(creating: scene.folder, mode: 0o755),
      modes: modes
    )
    let session = try await scene.client().refresh(folder, now: RepositorySimulator.now)
    let found = try #require(try await session.find(path))
    _ = try await session.document(found)
    try session.keepAccepted([5], as: "policy.json")
    #expect(
      try DiskTree(at: scene.folder).lines == [
        "0755 accepted/", "0644 accepted/policy.json", "0755 documents/", "0644 documents/a",
        "0644 root.json", "0755 roots/", "0644 roots/2.root.json", "0644 snapshot.json",
        "0644 targets.json", "0644 timestamp.json", "0600 update.lock",
      ]
    )
    #expect(try folder.accepted("policy.json", limit: 9) == [5])
    #expect(try folder.accepted("other.json", limit: 9) == nil)
  }

  @Test func `names of roles and targets are files in the folder, whatever they are`() async throws
  {
    var scene = try Scene()
    let path = try scene.addTarget("dir/a b", [1])
    let inner = try #require(TargetPath("x/y"))
    try scene.repository.delegate(
      to: "../role",
      .paths([PathPattern("x/*")]),
      targets: [inner: TargetFile(of: [2])]
    )
    try scene.repository.release()
    for (name, bytes) in scene.repository.files {
      // The mirror keeps files by their decoded paths.
      let decoded = name.split(separator: "%2F").joined(separator: "/")
      scene.mirrors[0].serve(bytes, at: "/metadata/\(decoded)")
    }
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    let place = try found.requestPath(in: session.metadata)
    #expect(place.hasPrefix("dir/") && place.hasSuffix(".a%20b"))
    #expect(try await session.find(inner)?.file.length == 1)
    #expect(try scene.kept("..%2Frole.json") == scene.repository.files["1...%2Frole.json"])
    #expect(
      try DiskTree(at: TemporaryFolder.current).entries.keys.allSatisfy { $0.hasPrefix("state") }
    )
  }
}
