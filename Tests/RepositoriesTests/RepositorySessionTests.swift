import Repositories
import TUFSimulator
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RepositorySessionTests {
  @Test func `a target that is kept is not asked for again until it changes`() async throws {
    var scene = try Scene()
    let path = try scene.addTarget("dir/a.json", [1, 2])
    try scene.repository.release()
    scene.publish()
    for _ in 0..<2 {
      let session = try await scene.refresh()
      let found = try #require(try await session.find(path))
      #expect(try await session.document(found) == [1, 2])
    }
    func count() -> Int { scene.mirrors[0].requests.count { $0.path.hasPrefix("/targets/") } }
    #expect(count() == 1)
    try scene.addTarget("dir/a.json", [3])
    try scene.repository.release()
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    #expect(try await session.document(found) == [3])
    #expect(count() == 2)
    #expect(try scene.kept("documents/dir%2Fa.json") == [3])
  }

  @Test func `no target of that path is nothing, not an error`() async throws {
    let scene = try Scene()
    let session = try await scene.refresh()
    #expect(try await session.find(try #require(TargetPath("none"))) == nil)
    #expect(scene.mirrors[0].requests.count == 4)
  }

  @Test func `a target beyond the caller's limit is not asked for`() async throws {
    var scene = try Scene()
    let path = try scene.addTarget("a", [1, 2, 3])
    try scene.repository.release()
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    await #expect(throws: RepositoryFault.longTarget(path, length: 3, limit: 2)) {
      try await session.document(found, limit: 2)
    }
    #expect(scene.mirrors[0].requests.count == 4)
  }

  @Test(arguments: ["../a", "a/../b", ".", "a/."])
  func `a path that would leave the base is refused without a request`(text: String) async throws {
    var scene = try Scene()
    let path = try #require(TargetPath(text))
    scene.repository.targets.targets[path] = TargetFile(of: [1])
    try scene.repository.release()
    scene.publish()
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    do {
      _ = try await session.document(found)
      Issue.record("it was had")
    } catch RepositoryFault.refused(let refusal, nil, _) {
      #expect(refusal.section == "5.7.3")
    }
    #expect(scene.mirrors[0].requests.count == 4)
  }
}
