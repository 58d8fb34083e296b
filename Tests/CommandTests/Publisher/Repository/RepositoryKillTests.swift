import Foundation
import Manifests
import Publishing
import SystemFiles
import TestSupport
import Testing
import Trust

/// Whatever call a publisher was killed before, clients see the old repository or the new one, and the next run completes it.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct RepositoryKillTests {
  /// A command that brings the repository from timestamp 2 to timestamp 3.
  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: [String]
    /// The version of the root before and after.
    var roots = (old: 1, new: 1)
  }

  private static let scenes = [
    Scene(
      testDescription: "repo add",
      words: [
        "repo", "add", "public", "manifests/tiny-2.0.0.json", "--files", "files-2.0.0", "--key",
        "keys/owner.key",
      ]
    ),
    Scene(
      testDescription: "repo rotate",
      words: [
        "repo", "rotate", "public", "all", "--add", "keys/new.pub", "--remove", "keys/owner.pub",
        "--key", "keys/owner.key", "--key", "keys/new.key",
      ],
      roots: (1, 2)
    ),
    Scene(
      testDescription: "repo rotate --compromised",
      words: [
        "repo", "rotate", "public", "targets", "timestamp", "snapshot", "--compromised", "--add",
        "keys/new.pub", "--remove", "keys/owner.pub", "--key", "keys/owner.key", "--key",
        "keys/new.key",
      ],
      roots: (1, 2)
    ),
  ]

  @Test(arguments: scenes)
  func `clients see the old state or the new one, and the next run completes it`(
    _ scene: Scene
  ) async throws {
    try await prepare()
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let striker = try CallStriker(
      tool,
      watching: TemporaryFolder.path("public"),
      log: TemporaryFolder.path("calls.log")
    )
    #expect(try await striker.run(scene.words).ending == .exited(0))
    let calls = try striker.calls()
    #expect(calls.count > 40, "\(calls)")
    let points = SweepLength.isWhole ? calls : SweepLength.points(calls.filter(\.changes), 12)
    for point in points {
      try reset()
      let killed = try await striker.run(scene.words, [StrikeRule(.kill, at: point.number)])
      #expect(killed.ending == .signalled(9), "\(point)")
      try expectClientsToAccept(scene, point)
      try await complete(scene, point)
    }
    print("\(scene.testDescription): killed at \(points.count) of \(calls.count) calls")
  }

  /// A client from the first root goes all the way, unless the root has come and its timestamp has not.
  private func expectClientsToAccept(_ scene: Scene, _ point: StoreCall) throws {
    let tree = try RepositoryTree(path: TemporaryFolder.path("public"))
    do {
      let seen = try StagedTree.trusted(at: .current()) { path, limit in
        try tree.read(path, limit: limit)
      }
      #expect([2, 3].contains(seen.timestamp.version), "\(point)")
      #expect([scene.roots.old, scene.roots.new].contains(seen.root.version), "\(point)")
    } catch let error as RepositoryProblem {
      // Where old keys sign nothing more, no order suits both roots; clients refuse, and ask again.
      #expect(scene.words.contains("--compromised"), "\(point): \(error)")
    }
  }

  /// The same command, or any other that changes something, brings the new state and leaves nothing beside it.
  private func complete(_ scene: Scene, _ point: StoreCall) async throws {
    let again = try await publish(scene.words)
    // A rotation that was completed on the way changes nothing more.
    #expect([0, 2].contains(again.exitCode), "\(point): \(again.errors)")
    let path = TemporaryFolder.path("public")
    let state = try RepositoryTree(path: path).state(at: .current())
    #expect(state.timestamp.version == 3 && state.root.version == scene.roots.new, "\(point)")
    let verified = try await publish("repo", "verify", "public", "--full")
    #expect(verified.exitCode == 0, "\(point): \(verified.output)\(verified.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(path)/.sealift") == ["publish.lock"],
      "\(point)"
    )
  }

  private func prepare() async throws {
    let owner = try await RepositoryBench.make()
    try RepositoryBench.key("new")
    let first = try RepositoryBench.manifest("tiny", "1.0.0", by: owner, withFiles: true)
    try RepositoryBench.manifest("tiny", "2.0.0", by: owner, withFiles: true)
    try await RepositoryBench.add(first, files: "files-1.0.0")
    try RepositoryBench.copyTree(to: "before")
  }

  private func reset() throws {
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public"))
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("before"),
      toPath: TemporaryFolder.path("public")
    )
  }
}

extension Timestamp {
  fileprivate static func current() throws -> Timestamp {
    try #require(Timestamp(seconds: Int64(time(nil))))
  }
}
