import Foundation
import SystemFiles
import TestSupport
import Testing

/// Collecting, starting and locking, each interrupted at the moment that other tools forgot.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(10)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct LeaseBarrierTests {
  // B1, B3
  @Test func `a version that is leased after the plan was made is not collected`() async throws {
    let home = try await ConsumerHome.trusting()
    let striker = try CallStriker(home)
    let command = StoreScene.collectSpare.command
    _ = try await home.reset(.collectSpare)
    #expect(try await striker.run(command).ending == .exited(0))
    let calls = try striker.calls()
    let removal = try #require(
      calls.first {
        $0.name.hasPrefix("renameat") && $0.paths[0].contains("/versions/0.9.0-")
      }
    )
    let asked = try #require(
      calls.last {
        $0.name == "flock" && $0.number < removal.number && $0.paths[0].contains("/leases/0.9.0-")
      }
    )
    let before = try await home.reset(.collectSpare)
    let lease = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "\(home.oracle().folder)/versions")
        .first { $0.hasPrefix("0.9.0-") }
    )
    // The holder outlives the collection, and ends with the pipe that it writes to.
    let hold = """
      exec 9<>\(home.oracle().folder)/leases/\(lease); flock -s 9 || exit 1
      sleep 5 >/dev/null 2>&1 </dev/null &
      """
    let outcome = try await striker.run(
      command + ["--explain"],
      [StrikeRule(.before(hold), at: asked.number)]
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("stays: in use, by a program"), "\(outcome.output)")
    #expect(home.oracle().versions == ["0.9.0", "1.0.0", "1.1.0"])
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"]), since: before)
    #expect(found.isEmpty)
  }

  // B3, L1
  @Test(arguments: [StoreScene.remove, .removeAll])
  func `nobody can begin to use a version while it is removed, and its way is on the medium`(
    scene: StoreScene
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let striker = try CallStriker(home)
    _ = try await home.reset(scene)
    #expect(try await striker.run(scene.command).ending == .exited(0))
    let move = try #require(
      try striker.calls().first {
        $0.name.hasPrefix("renameat") && $0.paths[0].contains("/versions/1.0.0-")
          && $0.paths[1].contains("/trash/")
      }
    )
    _ = try await home.reset(scene)
    let lease = try #require(
      home.oracle().names(in: "leases").first { $0.hasPrefix("1.0.0-") }
    )
    let ask = """
      exec 9<>\(home.oracle().folder)/leases/\(lease)
      flock -n -s 9; echo $? >\(home.folder)/answer
      """
    let outcome = try await striker.run(
      scene.command,
      [StrikeRule(.before(ask), at: move.number)]
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try String(contentsOfFile: "\(home.folder)/answer", encoding: .utf8) == "1\n")
    let calls = try striker.calls()
    let synced = calls.filter { $0.number > move.number && $0.name == "fsync" }.map {
      $0.paths[0].split(separator: "/").last
    }
    #expect(synced.prefix(2) == ["trash", "versions"], "\(synced)")
  }

  // B2
  @Test func `a start whose version goes after it read the record starts the one that follows`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let striker = try CallStriker(home)
    let command = [
      "exec", "acme/tiny", "--", "sh", "-c", "echo $MODEL_VERSION; ls \"$MODEL_DIR\"",
    ]
    _ = try await home.reset(.start)
    #expect(try await striker.run(command).ending == .exited(0))
    let read = try #require(
      try striker.calls().last { $0.name == "openat2" && $0.paths[0].hasSuffix("/leases") }
    )
    _ = try await home.reset(.start)
    var actions: [String] = []
    for version in ["1.2.0", "1.3.0"] {
      let words = [home.tool.path] + (try home.installing(version)) + home.places
      actions.append(words.map { "'\($0)'" }.joined(separator: " ") + " >/dev/null")
    }
    let collect = ([home.tool.path, "gc", "--keep", "1"] + home.places).joined(separator: " ")
    actions.append("\(collect) >/dev/null")
    let outcome = try await striker.run(
      command,
      [StrikeRule(.before(actions.joined(separator: "\n")), at: read.number)]
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.output == "1.3.0\ndeep\nweights.bin\n", "\(outcome.errors)")
  }

  // D2, D3, K6
  @Test(arguments: [Strike.claim(0), .error(9), .error(38)])
  func `locks that do not lock stop what would change the store`(strike: Strike) async throws {
    let home = try await ConsumerHome.trusting()
    let striker = try CallStriker(home)
    let before = try await home.reset(.install)
    let install = try home.installing("1.1.0")
    for command in [install, ["remove", "acme/tiny"], ["gc"]] {
      let outcome = try await striker.run(command, [StrikeRule(strike, "flock")])
      #expect(outcome.ending == .exited(8), "\(command) \(strike): \(outcome.errors)")
      #expect(outcome.errors.contains(home.store), "\(outcome.errors)")
      #expect(outcome.errors.contains("--lock=none"), "\(outcome.errors)")
    }
    for command in [["status"], ["path", "acme/tiny"], ["list"]] {
      let outcome = try await striker.run(command, [StrikeRule(strike, "flock")])
      #expect(outcome.ending == .exited(0), "\(command) \(strike): \(outcome.errors)")
    }
    let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), since: before)
    #expect(found.isEmpty)
    let outcome = try await striker.run(
      install + ["--lock=none"],
      [StrikeRule(strike, "flock")]
    )
    #expect(outcome.ending == .exited(0), "\(strike): \(outcome.errors)")
    #expect(try home.oracle().active()?.version == "1.1.0")
  }

  // A7
  @Test func `only a version without a stamp is read`() async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0"] {
      let outcome = try await home.run(try home.installing(version) + ["--no-gc"])
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    var shell = try #require(Tool.installed("sh"))
    shell.folder = home.oracle().folder
    #expect(try await shell.run(["-ec", "rm stamps/1.2.0-*"]).ending == .exited(0))
    let striker = try CallStriker(home)
    #expect(try await striker.run(["doctor", "--fix"]).ending == .exited(0))
    let read = Set(
      try striker.calls().filter { $0.name == "pread64" && $0.paths[0].contains("/files/") }
        .map { $0.paths[0].split(separator: "/")[3].prefix(5) }
    )
    #expect(read == ["1.2.0"])
  }

  // A14
  @Test func `records that are lost are written anew from the versions themselves`() async throws {
    let home = try await ConsumerHome.trusting()
    _ = try await home.reset(.rollback)
    try FileManager.default.removeItem(atPath: "\(home.oracle().folder)/active.json")
    let outcome = try await home.run(["doctor", "--fix"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(found.isEmpty)
  }
}
