import Manifests
import Repositories
import SystemFiles
import TUFSimulator
import TestSupport
import Testing
import Transfers
import Trust

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RefreshTests {
  private let first = ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]

  @Test func `the requests are those of the workflow, and the next run makes fewer`() async throws {
    let scene = try Scene()
    try await scene.refresh()
    #expect(scene.asked() == first)
    try await scene.refresh()
    #expect(scene.asked() == first + ["2.root.json", "timestamp.json"])
    #expect(scene.mirrors[0].requests.allSatisfy { $0.method == "GET" })
  }

  @Test func `what is kept is what was received, and nothing else`() async throws {
    let scene = try Scene()
    try await scene.refresh()
    #expect(
      try DiskTree(at: scene.folder).lines == [
        "0600 root.json", "0600 snapshot.json", "0600 targets.json", "0600 timestamp.json",
        "0600 update.lock",
      ]
    )
    let files = scene.repository.files
    #expect(try scene.kept("root.json") == files["1.root.json"])
    #expect(try scene.kept("timestamp.json") == files["timestamp.json"])
    #expect(try scene.kept("snapshot.json") == files["1.snapshot.json"])
    #expect(try scene.kept("targets.json") == files["1.targets.json"])
  }

  @Test func `every root after the pin is kept, and the walk goes on from the last`() async throws {
    var scene = try Scene()
    for name in ["b", "c"] { try scene.repository.rotate(.root, to: [SimulatedKey(name)]) }
    scene.publish()
    try await scene.refresh()
    for version in 2...3 {
      let name = "\(version).root.json"
      #expect(try scene.kept("roots/\(name)") == scene.repository.files[name])
    }
    #expect(try scene.kept("root.json") == scene.repository.files["3.root.json"])
    try await scene.refresh()
    #expect(scene.asked().filter { $0.hasSuffix("root.json") }.last == "4.root.json")
  }

  @Test func `a pin that is none is told before any request`() async throws {
    let scene = try Scene()
    guard case .badPin? = try await scene.fault(pin: [1, 2, 3]) else {
      Issue.record("no bad pin")
      return
    }
    #expect(scene.asked() == [])
  }

  @Test func `what was accepted stays when a later file is refused, and the next run goes on`()
    async throws
  {
    var scene = try Scene()
    try await scene.refresh()
    try scene.repository.release()
    scene.publish()
    let good = scene.repository.files["2.targets.json"] ?? []
    scene.mirrors[0].serve(good.dropLast() + [0x20], at: "/metadata/2.targets.json")
    #expect(try await scene.refusedSection() == "5.6.2")
    #expect(try scene.kept("snapshot.json") == scene.repository.files["2.snapshot.json"])
    #expect(try scene.kept("targets.json") == scene.repository.files["1.targets.json"])
    scene.publish()
    try await scene.refresh()
    #expect(try scene.kept("targets.json") == good)
    #expect(scene.asked().suffix(3) == ["2.root.json", "timestamp.json", "2.targets.json"])
  }

  @Test func `a refusal names the file, the section and the mirror`() async throws {
    var scene = try Scene()
    scene.repository.replace("timestamp", with: "timestump", in: "timestamp.json")
    scene.publish()
    let fault = try await scene.fault()
    guard case .refused(let refusal, let file, let troubles)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(refusal.role == .timestamp && file == "timestamp.json")
    #expect(troubles.map(\.mirror) == ["\(scene.mirrors[0].url)/metadata/"])
    #expect(troubles.map(\.cause) == [.refused(refusal)])
  }

  @Test(arguments: [Fault.status(500), .truncated, .html, .gzip, .redirectLoop])
  func `a mirror that fails is no mirror that has no next root`(fault: Fault) async throws {
    var scene = try Scene()
    try scene.repository.rotate(.root, to: [SimulatedKey("b")])
    scene.publish()
    scene.mirrors[0].set(fault)
    guard case .unreachable(let file, let troubles)? = try await scene.fault() else {
      Issue.record("it was reached")
      return
    }
    #expect(file == "2.root.json" && troubles.count == 1)
    #expect(!scene.asked().contains("timestamp.json"))
    scene.mirrors[0].set(.honest)
    try await scene.refresh()
  }

  @Test func `a mirror that trickles is given up when its time is over`() async throws {
    let scene = try Scene()
    try await scene.refresh()
    scene.mirrors[0].set(.slow(bytesPerSecond: 50))
    var clocks = RepositoryClocks()
    clocks.file = .seconds(2)
    let folder = try scene.state()
    do {
      _ = try await scene.client(clocks: clocks).refresh(folder, now: RepositorySimulator.now)
      Issue.record("it was had")
    } catch let fault as RepositoryFault {
      let causes = fault.troubles.map(\.cause)
      #expect(causes == [.fault(.timedOut(.whole, after: .seconds(2)))])
    }
    #expect(scene.mirrors[0].requests.count >= 5)
  }

  @Test func `a cancelled run ends, though its mirror is silent`() async throws {
    let scene = try Scene()
    scene.mirrors[0].set(.silence)
    let (client, folder) = (scene.client(), try scene.state())
    let run = Task { _ = try await client.refresh(folder, now: RepositorySimulator.now) }
    await scene.mirrors[0].wait { !$0.isEmpty }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  @Test func `runs that use one folder come one after the other`() async throws {
    let scene = try Scene()
    let (client, folder) = (scene.client(), scene.folder)
    _ = try scene.state()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let state = RepositoryFolder(try Folder(path: folder))
          _ = try await client.refresh(state, now: RepositorySimulator.now)
        }
      }
      try await group.waitForAll()
    }
    let again = ["2.root.json", "timestamp.json"]
    #expect(scene.asked() == first + again + again + again)
  }

  @Test func `a clock that shows an earlier time than what is kept is told, and locks nobody out`()
    async throws
  {
    let scene = try Scene()
    try await scene.refresh()
    // The file was kept just now, by the clock of this machine; the run is told that it is 1970.
    let early = try #require(Timestamp(seconds: 1_000))
    let session = try await scene.refresh(now: early)
    let clocks = session.notes.filter {
      if case .clockSetBack(now: early, kept: _) = $0 { true } else { false }
    }
    #expect(clocks.count == 1)
    #expect(scene.mirrors[0].requests.count == 6)
  }
}
