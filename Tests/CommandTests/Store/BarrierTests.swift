import Foundation
import SystemFiles
import TestSupport
import Testing

/// Something happens to the store at the very moment at which it would hurt.
///
/// The tracer holds a call back while a shell command acts, so that each race is decided as written.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(10)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct BarrierTests {
  /// A canary beside the store, and the store with one version in it.
  private func prepared(_ versions: [String] = ["1.0.0"]) async throws -> (
    ConsumerHome, [String: DiskTree], String
  ) {
    let home = try await ConsumerHome.trusting()
    for version in versions { try await home.installed(home.sceneRelease(version)) }
    let outside = "\(home.folder)/outside"
    _ = try Folder(creating: "\(outside)/inner", mode: 0o755)
    _ = try home.write([1, 2, 3], to: "outside/weights.bin")
    _ = try home.write([4], to: "outside/inner/canary")
    return (home, [outside: try DiskTree(at: outside)], outside)
  }

  /// Finds the calls of a command on a store like this one.
  private func calls(
    _ command: [String],
    _ scene: StoreScene,
    _ home: ConsumerHome
  ) async throws -> [StoreCall] {
    let striker = try CallStriker(home)
    _ = try await home.reset(scene)
    #expect(try await striker.run(command).ending == .exited(0))
    let calls = try striker.calls()
    _ = try await home.reset(scene)
    return calls
  }

  enum Moment: String, CaseIterable, Sendable {
    case sealed = "/tree/files/weights.bin"
    case published = "/versions/"
  }

  // F7
  @Test(arguments: Moment.allCases)
  func `a file that is exchanged after it was verified is noticed, and not activated`(
    moment: Moment
  ) async throws {
    let (home, canary, _) = try await prepared()
    let command = try home.installing("1.1.0")
    let calls = try await calls(command, .install, home)
    let call = try #require(
      calls.first { $0.name == "renameat2" && $0.paths.last?.contains(moment.rawValue) == true }
    )
    let place = try #require(call.paths.last)
    let file = "\(home.store)/\(place)" + (moment == .sealed ? "" : "/files/weights.bin")
    let exchange = "cp \(file) \(file).x && printf X >>\(file).x && mv -f \(file).x \(file)"
    let outcome = try await CallStriker(home).run(
      command,
      [StrikeRule(.after(exchange), like: call)]
    )
    outcome.expectRefusal(5, try #require(outcome.errorLines.first.map { String($0.dropFirst(7)) }))
    #expect(outcome.errors.contains("weights.bin"), "\(outcome.errors)")
    let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), outside: canary)
    #expect(found.isEmpty)
    #expect(try await home.run(command).ending == .exited(0))
    let last = try await home.violations(
      StoreExpectation(active: ["1.1.0"], isFinished: true),
      outside: canary
    )
    #expect(last.isEmpty)
  }

  // F8
  @Test func `a folder that becomes a link while it is deleted leads nowhere`() async throws {
    let (home, canary, outside) = try await prepared(["1.0.0", "1.1.0"])
    let command = ["remove", "acme/tiny", "--purge"]
    let calls = try await calls(command, .removeAll, home)
    let trash = "\(home.oracle().folder)/trash"
    // Everything that is deleted is taken for a folder to swap, at each call in turn.
    let deletions = calls.filter {
      ["unlinkat", "openat", "getdents64"].contains($0.name)
        && $0.paths.first?.contains("/trash/") == true
    }
    #expect(!deletions.isEmpty)
    let swap = """
      for f in \(trash)/*/files \(trash)/*/files/deep; do
        [ -d "$f" ] && [ ! -L "$f" ] && mv "$f" "$f.gone" && ln -s \(outside) "$f" && break
      done; true
      """
    for call in SweepLength.points(deletions, 6) {
      let before = try await home.reset(.removeAll)
      _ = try await CallStriker(home).run(command, [StrikeRule(.before(swap), at: call.number)])
      let found = try await home.violations(
        StoreExpectation(active: [nil], removes: true),
        since: before,
        outside: canary
      )
      #expect(found.isEmpty, "\(call)")
    }
  }

  // F9, C3, A17
  @Test(arguments: StoreScene.all)
  func
    `modes are set through descriptors, nothing is cut short, and nothing goes before the commit`(
      _ scene: StoreScene
    ) async throws
  {
    let home = try await ConsumerHome.trusting()
    let calls = try await calls(home.words(of: scene), scene, home)
    let byPath = ["chmod", "chown", "fchmodat", "fchownat", "utimensat"]
    #expect(calls.allSatisfy { !byPath.contains($0.name) })
    #expect(calls.allSatisfy { $0.name != "ftruncate" || $0.paths[0].contains("/staging/") })
    let commit = calls.first {
      ["renameat", "unlinkat"].contains($0.name)
        && $0.paths.last?.hasSuffix("/active.json") == true
    }
    for call in calls where call.number < commit?.number ?? .max {
      let isRemoval = call.name == "unlinkat" && call.paths[0].contains("/versions/")
      #expect(!isRemoval || scene.removes, "\(call)")
    }
  }

  // A13
  @Test func `a medium that keeps nothing of what is written is found out before activation`()
    async throws
  {
    let (home, canary, _) = try await prepared()
    let command = try home.installing("1.1.0")
    for lie in [100, 1 << 20] {
      let before = try await home.reset(.install)
      let outcome = try await CallStriker(home).run(command, [StrikeRule(.claim(lie), "pwrite64")])
      #expect([5, 8].contains(outcome.exitCode), "\(lie): \(outcome.errors)")
      let found = try await home.violations(
        StoreExpectation(active: ["1.0.0"]),
        since: before,
        outside: canary
      )
      #expect(found.isEmpty, "\(lie)")
    }
    #expect(try await home.run(command).ending == .exited(0))
  }

  // B12
  @Test func `a disk that fills up during a download costs the download only`() async throws {
    let (home, _, _) = try await prepared()
    let command = try home.installing("1.1.0")
    let full = [StrikeRule(.error(28), "pwrite64"), StrikeRule(.error(28), "fallocate")]
    for _ in 0..<2 {
      let outcome = try await CallStriker(home).run(command, full)
      #expect(outcome.ending == .exited(8), "\(outcome.errors)")
      #expect(outcome.errors.contains("full"), "\(outcome.errors)")
    }
    #expect(try await home.run(command).ending == .exited(0))
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(found.isEmpty)
  }
}
