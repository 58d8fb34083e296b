import Foundation
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// A store in which somebody, or a disk, has done harm.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(10)))
struct HostileStoreTests {
  /// Harm done by a shell in the folder of the model; `$outside` is a folder beside the store, `$active` and
  /// `$previous` the versions.
  struct Harm: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    /// What `status` says of the model, in one of these words; none where it must fail.
    let state: String
    /// Whether changing commands refuse until a person has acted.
    var isRefused = false

    var testDescription: String { name }
  }

  private static let harms = [
    // A2, A3: the record.
    Harm(name: "record cut to nothing", script: ": >active.json", state: "failed"),
    Harm(name: "record cut", script: "truncate -s 40 active.json", state: "failed"),
    Harm(
      name: "record of zeros",
      script: "n=$(stat -c %s active.json); head -c $n /dev/zero >active.json",
      state: "failed"
    ),
    Harm(
      name: "record with another digest",
      script: "sed -i s/generation\\\":2/generation\\\":9/ active.json",
      state: "failed"
    ),
    // Things in the place of the record.
    Harm(
      name: "record as FIFO",
      script: "rm active.json; mkfifo active.json",
      state: "failed"
    ),
    Harm(
      name: "record as link",
      script: "mv active.json $outside/record; ln -s $outside/record active.json",
      state: "",
      isRefused: true
    ),
    Harm(
      name: "record as folder",
      script: "rm active.json; mkdir active.json",
      state: "failed"
    ),
    Harm(
      name: "record with a second name",
      script: "ln active.json $outside/record",
      state: "active"
    ),
    // A1, A15: the bytes.
    Harm(
      name: "bytes zeroed in place",
      script:
        "dd if=/dev/zero of=versions/$active/files/weights.bin bs=1k count=2 conv=notrunc status=none",
      state: "failed"
    ),
    Harm(
      name: "file cut to nothing",
      script: ": >versions/$active/files/weights.bin",
      state: "failed"
    ),
    Harm(
      name: "file with a second name",
      script: "ln versions/$active/files/weights.bin $outside/weights",
      state: "failed"
    ),
    Harm(
      name: "file as link",
      script: """
        mv versions/$active/files/weights.bin $outside/weights
        ln -s $outside/weights versions/$active/files/weights.bin
        """,
      state: "failed"
    ),
    Harm(
      name: "file as FIFO",
      script: "rm -f versions/$active/files/weights.bin; mkfifo versions/$active/files/weights.bin",
      state: "failed"
    ),
    Harm(
      name: "file of another owner",
      script:
        "chown 65534 versions/$active/files/weights.bin || chmod 0400 versions/$active/files/weights.bin",
      state: "failed"
    ),
    Harm(
      name: "versions that have changed places",
      script: """
        chmod u+w versions/$active versions/$previous
        mv versions/$active x; mv versions/$previous versions/$active; mv x versions/$previous
        """,
      state: "failed"
    ),
    Harm(
      name: "version gone",
      script: "chmod -R u+w versions/$active; rm -r versions/$active",
      state: "notDownloaded"
    ),
    // A6, A9: what is derived.
    Harm(name: "store file cut to nothing", script: ": >../../STORE.json", state: "active"),
    Harm(name: "store file gone", script: "rm ../../STORE.json", state: "active"),
    Harm(name: "current gone", script: "rm current", state: "active"),
    Harm(name: "current leads out", script: "ln -sfn $outside current", state: "active"),
    Harm(name: "stamps gone", script: "rm stamps/*", state: "failed"),
    Harm(name: "floors gone", script: "rm ../../floors/*", state: "active"),
    Harm(name: "trash, staging gone", script: "rm -r trash staging", state: "active"),
    // F1: clocks.
    Harm(
      name: "times in the future",
      script: "find . -exec touch -h -d 2100-01-01 {} +",
      state: "failed"
    ),
    Harm(
      name: "a half version by hand",
      script: "mkdir -p versions/9.9.9-0123456789abcdef/files",
      state: "active"
    ),
  ]

  private func script(_ text: String, _ home: ConsumerHome) async throws {
    let snapshot = try StoreSnapshot(of: home.store)
    guard case .good(let record) = snapshot.models["acme+tiny"]?.record else {
      throw SupportError.programFailed("sealift", message: "nothing is active")
    }
    var shell = try #require(Tool.installed("sh"))
    shell.folder = home.oracle().folder
    shell.environment["active"] = record.active
    shell.environment["previous"] = record.previous
    shell.environment["outside"] = "\(home.folder)/outside"
    let outcome = try await shell.run(["-ec", text])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  @Test(arguments: harms)
  func `harm is told, nothing unverified is activated, and an install puts it right`(
    harm: Harm
  ) async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { try await home.installed(home.sceneRelease(version)) }
    _ = try Folder(creating: "\(home.folder)/outside", mode: 0o755)
    _ = try home.write([7], to: "outside/canary")
    try await script(harm.script, home)
    let outside = ["\(home.folder)/outside": try DiskTree(at: "\(home.folder)/outside")]

    let status = try await home.run(["status", "--json"])
    let event = (try? status.events())?.first { $0["event"] == "model" }
    if harm.state.isEmpty {
      #expect(status.ending == .exited(8), "\(status.errors)")
    } else {
      let states = harm.state.split(separator: " ").map { JSONValue.string(String($0)) }
      #expect(states.contains { $0 == event?["state"] }, "\(status.output)\(status.errors)")
    }

    // Whatever becomes active is whole, or the command says why it is not.
    for command in [["rollback", "acme/tiny"], ["activate", "acme/tiny@1.1.0"]] {
      let outcome = try await home.run(command)
      if outcome.ending == .exited(0) {
        let found = try await home.violations(
          StoreExpectation(active: ["1.0.0", "1.1.0"]),
          outside: outside
        )
        #expect(found.isEmpty, "\(command)")
      } else {
        #expect([3, 5, 6, 8].contains(outcome.exitCode), "\(command): \(outcome.errors)")
        #expect(outcome.errorLines.first?.hasPrefix("error: ") == true, "\(outcome.errors)")
      }
    }
    let install = try await home.run(try home.installing("1.1.0"))
    if harm.isRefused {
      #expect(install.ending == .exited(8), "\(install.errors)")
      #expect(try DiskTree(at: "\(home.folder)/outside") == outside.values.first)
      return
    }
    #expect(install.ending == .exited(0), "\(install.errors)")
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"]), outside: outside)
    #expect(found.isEmpty)
  }

  // A2: one broken record does not stop the others.
  @Test(arguments: [
    ": >active.json", "rm active.json; mkfifo active.json", "rm active.json; mkdir active.json",
    "truncate -s 5M active.json",
  ])
  func `another model works beside a broken one`(harm: String) async throws {
    let home = try await ConsumerHome.trusting()
    for model in ["acme/tiny", "acme/other"] {
      for version in ["1.0.0", "1.1.0"] {
        try await home.installed(home.sceneRelease(version, model: model))
      }
    }
    try await script(harm, home)
    for command in [["path", "acme/other"], ["rollback", "acme/other"]] {
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(0), "\(command): \(outcome.errors)")
    }
    let status = try await home.run(["status", "--json"])
    let states = try status.events().filter { $0["event"] == "model" }.map { $0["state"] }
    #expect(states == ["active", "failed"])
  }

  // F6: who only looks does not speak of mending.
  @Test func `verification says what is wrong, and nothing of mending it`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = home.sceneRelease("1.0.0")
    let manifest = try home.publish(release)
    _ = try home.fileMirror(release, in: "files")
    try rewrite("\(home.folder)/files/weights.bin") { $0[70_000] ^= 1 }
    let outcome = try await home.run(["verify", "\(home.folder)/files", "--manifest", manifest])
    #expect(outcome.ending == .exited(5))
    let text = (outcome.output + outcome.errors).lowercased()
    #expect(text.contains("weights.bin"), "\(text)")
    for word in ["fix", "repair", "mend"] { #expect(!text.contains(word), "\(text)") }
  }

  // The bytes of a candidate are nobody's, and may be anything.
  @Test(
    .enabled("this process must not trace others", CallStriker.isAvailable),
    arguments: [
      "ln -f $outside/bytes 1.part", "ln -sf $outside/bytes 1.part", "rm 1.part; mkfifo 1.part",
      "rm 1.part; mkdir 1.part", ": >1.part", "head -c 900000 /dev/zero >1.part",
    ]
  )
  func `harm in a candidate touches nothing outside, and ends with a whole version or exit code 8`(
    harm: String
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let outside = "\(home.folder)/outside"
    _ = try Folder(creating: outside, mode: 0o755)
    _ = try home.write([UInt8](repeating: 7, count: 150_000), to: "outside/bytes")
    let command = try home.installing("1.1.0")
    let striker = try CallStriker(home)
    let before = try await home.reset(.install)
    let killed = try await striker.run(command, [StrikeRule(.kill, "renameat2", 1...1)])
    #expect(killed.ending == .signalled(9))
    let candidate = try #require(home.oracle().candidates.first)
    var shell = try #require(Tool.installed("sh"))
    shell.folder = "\(home.oracle().folder)/staging/\(candidate)/parts"
    shell.environment["outside"] = outside
    #expect(try await shell.run(["-ec", harm]).ending == .exited(0))
    let bytes = try #require(FileManager.default.contents(atPath: "\(outside)/bytes"))

    let outcome = try await home.run(command)
    let isDone = outcome.ending == .exited(0)
    #expect(isDone || outcome.ending == .exited(8), "\(outcome.errors)")
    let found = try await home.violations(
      StoreExpectation(active: [isDone ? "1.1.0" : "1.0.0"]),
      since: before
    )
    #expect(found.isEmpty)
    #expect(FileManager.default.contents(atPath: "\(outside)/bytes") == bytes)
    let mode = try DiskTree(at: outside).entries["bytes"]?.status.mode
    #expect(mode == 0o644)
  }
}
