import Digests
import Repositories
import TUFSimulator
import TestSupport
import Testing
import Transfers
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct SeveralMirrorsTests {
  @Test(arguments: [0, 1, 2])
  func `the newest timestamp counts, wherever it is`(newest: Int) async throws {
    var scene = try Scene(mirrors: 3)
    try scene.repository.release()
    scene.publish(on: [newest])
    let session = try await scene.refresh()
    #expect(session.metadata.timestamp.contents.header.version == 2)
    #expect(session.metadata.targets.contents.header.version == 2)
    // The rest comes from the mirror that had it.
    for mirror in 0..<3 {
      let rest = mirror == newest ? ["2.snapshot.json", "2.targets.json"] : []
      #expect(scene.asked(mirror) == ["2.root.json", "timestamp.json"] + rest)
    }
  }

  @Test func `a mirror that is behind is named, also to a client that knows nothing yet`()
    async throws
  {
    var scene = try Scene(mirrors: 3)
    try scene.repository.release()
    scene.publish(on: [1, 2])
    scene.mirrors[2].serve([0], at: "/metadata/timestamp.json")
    let notes = try await scene.refresh().notes
    let causes = notes.compactMap { note -> MirrorTrouble.Cause? in
      guard case .mirror(let trouble) = note, trouble.mirror.hasPrefix(scene.mirrors[0].url) else {
        return nil
      }
      return trouble.cause
    }
    #expect(causes == [.behind] && notes.count == 2)
    #expect(try await scene.refresh().notes.count == 2)
  }

  @Test func `last month's metadata is refused, and the next mirror used`() async throws {
    var scene = try Scene(mirrors: 2)
    scene.repository.timestamp.header.expires = RepositorySimulator.time(-1)
    try scene.repository.releaseTimestamp()
    scene.publish()
    #expect(try await scene.refusedSection() == "5.4.4")
    scene.repository.timestamp.header.expires = RepositorySimulator.time(RepositorySimulator.day)
    try scene.repository.releaseTimestamp()
    scene.publish(on: [1])
    let session = try await scene.refresh()
    #expect(session.metadata.timestamp.contents.header.version == 3)
    #expect(session.notes.count == 1)
  }

  @Test func `old metadata may pass where a mirror could not be asked`() async throws {
    var scene = try Scene(mirrors: 2)
    let old = scene.repository
    try scene.repository.release()
    scene.publish()
    try await scene.refresh()
    for (name, bytes) in old.files { scene.mirrors[0].serve(bytes, at: "/metadata/\(name)") }
    scene.mirrors[1].remove("/metadata/timestamp.json")
    #expect(try await scene.fault()?.mayPass == false)
    scene.mirrors[1].set(.status(503), for: "/metadata/timestamp.json")
    #expect(try await scene.fault()?.mayPass == true)
  }

  @Test func `where nothing was ever had, nothing but 404 is no refusal`() async throws {
    var scene = try Scene(mirrors: 2)
    for mirror in scene.mirrors { mirror.remove("/metadata/timestamp.json") }
    guard case .noRepository("timestamp.json", let troubles)? = try await scene.fault() else {
      Issue.record("another fault")
      return
    }
    #expect(troubles.count == 2)
    scene.publish()
    try await scene.refresh()
    try scene.repository.release()
    for mirror in scene.mirrors { mirror.remove("/metadata/timestamp.json") }
    #expect(try await scene.refusedSection() == "5.4.1")
  }

  @Test func `a mirror that went back is named, and the others serve`() async throws {
    var scene = try Scene(mirrors: 2)
    let old = scene.repository
    try scene.repository.release()
    scene.publish()
    try await scene.refresh()
    for (name, bytes) in old.files { scene.mirrors[0].serve(bytes, at: "/metadata/\(name)") }
    try scene.repository.release()
    scene.publish(on: [1])
    let session = try await scene.refresh()
    #expect(session.metadata.timestamp.contents.header.version == 3)
    guard case .mirror(let trouble)? = session.notes.first,
      case .refused(let refusal) = trouble.cause
    else {
      Issue.record("\(session.notes)")
      return
    }
    #expect(refusal.section == "5.4.3.1" && trouble.mirror.hasPrefix(scene.mirrors[0].url))
    #expect(session.notes.count == 1)
  }

  @Test func `mirrors that all went back are refused`() async throws {
    var scene = try Scene(mirrors: 2)
    let old = scene.repository
    try scene.repository.release()
    scene.publish()
    try await scene.refresh()
    for mirror in scene.mirrors {
      for (name, bytes) in old.files { mirror.serve(bytes, at: "/metadata/\(name)") }
    }
    #expect(try await scene.refusedSection() == "5.4.3.1")
    #expect(try scene.kept("timestamp.json") == scene.repository.files["timestamp.json"])
  }

  @Test(arguments: ["2.snapshot.json", "2.targets.json"])
  func `a later file comes from another mirror under the same expectations`(name: String)
    async throws
  {
    var scene = try Scene(mirrors: 3)
    try scene.repository.release()
    scene.publish()
    scene.mirrors[0].remove("/metadata/\(name)")
    scene.mirrors[1].serve(Array("{}".utf8), at: "/metadata/\(name)")
    let session = try await scene.refresh()
    #expect(session.notes.count == 2)
    #expect(scene.asked(2).contains(name))
    #expect(try scene.kept("targets.json") == scene.repository.files["2.targets.json"])
  }

  @Test func `a file that is wrong everywhere is refused, with what each mirror did`() async throws
  {
    var scene = try Scene(mirrors: 3)
    try scene.repository.release()
    scene.publish()
    scene.mirrors[0].remove("/metadata/2.snapshot.json")
    scene.mirrors[1].serve(Array("{}".utf8), at: "/metadata/2.snapshot.json")
    scene.mirrors[2].set(.status(500), for: "/metadata/2.snapshot.json")
    guard case .refused(let refusal, let file, let troubles)? = try await scene.fault() else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.section == "5.5.2" && file == "2.snapshot.json")
    #expect(troubles.count == 3)
    #expect(scene.mirrors.allSatisfy { $0.requests.count == 3 })
  }

  @Test func `the next root may be anywhere`() async throws {
    var scene = try Scene(mirrors: 3)
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    scene.publish(on: [1])
    let session = try await scene.refresh()
    #expect(session.metadata.root.contents.header.version == 2)
    #expect(session.notes.isEmpty, "a mirror without the next root has done nothing wrong")
    #expect(scene.asked(2).first == "3.root.json")
  }

  @Test func `the walk ends where one mirror says so and the others fail`() async throws {
    let scene = try Scene(mirrors: 2)
    scene.mirrors[0].set(.status(500), for: "/metadata/2.root.json")
    #expect(try await scene.refresh().notes.count == 1)
    scene.mirrors[1].set(.status(500), for: "/metadata/2.root.json")
    guard case .unreachable("2.root.json", let troubles)? = try await scene.fault() else {
      Issue.record("it was reached")
      return
    }
    #expect(troubles.count == 2)
  }

  @Test func `a root that is none does not keep another mirror from serving`() async throws {
    let scene = try Scene(mirrors: 2)
    scene.mirrors[0].serve(Array("{}".utf8), at: "/metadata/2.root.json")
    let session = try await scene.refresh()
    #expect(session.notes.count == 1)
    #expect(scene.asked(1).first == "2.root.json")
  }

  @Test func `a mirror that failed is not asked first again`() async throws {
    var scene = try Scene(mirrors: 2)
    let paths = try ["a", "b", "c"].map { try scene.addTarget($0, [1]) }
    for name in ["b", "c", "d"] { try scene.repository.rotate(.root, to: [SimulatedKey(name)]) }
    try scene.repository.release()
    scene.publish()
    for version in 2...5 {
      scene.mirrors[0].set(.status(500), for: "/metadata/\(version).root.json")
    }
    let session = try await scene.refresh()
    #expect(scene.asked(0).filter { $0.hasSuffix("root.json") } == ["2.root.json", "5.root.json"])
    let before = scene.mirrors[0].requests.count
    for path in paths {
      let found = try #require(try await session.find(path))
      #expect(try await session.document(found) == [1])
    }
    #expect(scene.mirrors[0].requests.count == before)
  }

  @Test func `lookups begin at the mirror that served last`() async throws {
    var scene = try Scene(mirrors: 3)
    let paths = try ["a", "b", "c"].map { try scene.addTarget($0, [1]) }
    try scene.repository.release()
    scene.publish(on: [1, 2])
    let session = try await scene.refresh()
    let before = scene.mirrors[0].requests.count
    let place = try #require(paths[0].requestPath(prefix: TargetFile(of: [1]).hashes.sha256?.hex))
    scene.mirrors[1].set(.status(500), for: "/targets/\(place)")
    for path in paths {
      let found = try #require(try await session.find(path))
      #expect(try await session.document(found) == [1])
    }
    func targets(_ mirror: Int) -> Int {
      scene.mirrors[mirror].requests.count { $0.path.hasPrefix("/targets/") }
    }
    // In place of the one that fails the others are asked in their order; the first has nothing.
    #expect(scene.mirrors[0].requests.count == before + 1)
    #expect(targets(1) == 1 && targets(2) == 3)
  }

  @Test func `a refusal tells what mirrors did before`() async throws {
    var scene = try Scene(mirrors: 2)
    scene.mirrors[0].serve(Array("{}".utf8), at: "/metadata/2.root.json")
    scene.repository.root.header.expires = RepositorySimulator.time(-1)
    try scene.repository.publishRoot()
    let pin = try #require(scene.repository.files["1.root.json"])
    guard case .refused(let refusal, _, let troubles)? = try await scene.fault(pin: pin) else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.section == "5.3.10")
    #expect(troubles.count == 1)
  }

  @Test func `a target comes from the mirror that has the right bytes`() async throws {
    var scene = try Scene(mirrors: 3)
    let path = try scene.addTarget("a/b.json", [1, 2, 3])
    try scene.repository.release()
    scene.publish()
    let place = try #require(
      path.requestPath(prefix: TargetFile(of: [1, 2, 3]).hashes.sha256?.hex)
    )
    scene.mirrors[0].serve([1, 2, 4], at: "/targets/\(place)")
    scene.mirrors[1].serve([1, 2, 3, 4], at: "/targets/\(place)")
    let session = try await scene.refresh()
    let found = try #require(try await session.find(path))
    #expect(try await session.document(found) == [1, 2, 3])
    #expect(session.notes.count == 2)
    scene.mirrors[2].remove("/targets/\(place)")
    try scene.forgetDocuments()
    do {
      _ = try await session.document(found)
      Issue.record("it was had")
    } catch let fault as RepositoryFault {
      guard case .wrongTarget(path, let troubles) = fault else {
        Issue.record("\(fault)")
        return
      }
      #expect(troubles.count == 3)
    }
    #expect(scene.mirrors[2].requests.count > 3)
  }
}
