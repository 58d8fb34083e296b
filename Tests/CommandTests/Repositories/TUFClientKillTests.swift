import TestSupport
import Testing

/// A client that is killed before any one of its system calls leaves a state from which the next run completes.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct TUFClientKillTests {
  @Test func `whatever call it was killed before, the next run completes`() async throws {
    let scene = try TUFClientScene()
    let striker = try CallStriker(
      scene.tool,
      watching: scene.folder,
      log: TemporaryFolder.path("calls.log")
    )
    func reset() async throws {
      try await scene.begin()
      scene.serve(scene.first)
      #expect(try await scene.tool.run(scene.refresh).ending == .exited(0))
      scene.serve(scene.second)
    }
    try await reset()
    #expect(try await striker.run(scene.download).ending == .exited(0))
    #expect(try scene.isCurrent())
    let calls = try striker.calls()
    #expect(calls.count > 100, "\(calls)")
    let points = calls.filter(\.changes)
    for point in points {
      try await reset()
      let killed = try await striker.run(scene.download, [StrikeRule(.kill, at: point.number)])
      #expect(killed.ending == .signalled(9), "\(point)")
      #expect(try scene.strangeFiles() == [], "\(point)")
      let again = try await scene.tool.run(scene.download)
      #expect(again.ending == .exited(0), "\(point): \(again.errors)")
      #expect(try scene.isCurrent(), "\(point)")
    }
    print("killed at \(points.count) of \(calls.count) calls")
    #expect(scene.mirror.requests.count > points.count)
  }

  @Test func `clients that run at once on one folder all succeed`() async throws {
    let scene = try TUFClientScene()
    scene.serve(scene.second)
    try await scene.begin()
    let running = try (0..<6).map { _ in try scene.tool.start(scene.download) }
    for client in running {
      let outcome = await client.wait()
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    #expect(try scene.isCurrent())
    #expect(try scene.strangeFiles() == [])
    // Only the first had anything to fetch but the root that is not there and the timestamp.
    #expect(scene.mirror.requests.count == 8 + 5 * 2)
  }
}
