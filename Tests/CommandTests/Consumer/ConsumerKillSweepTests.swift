import Foundation
import StrictJSON
import TestSupport
import Testing

/// A process that is killed before any one of its system calls leaves the old version active or the new one.
///
/// The run of every day strikes some of the points, taken by chance; `scripts/test-kill` sets `SEALIFT_TEST_SWEEP=all`.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("strace is not there or must not trace", KillTracer.isAvailable)
)
struct ConsumerKillSweepTests {
  /// A command, the versions that are there before, the last one active, and what may be active afterwards.
  struct Sweep: Sendable, CustomTestStringConvertible {
    let command: [String]
    let installed: [String]
    let finished: [String?]
    /// The codes of a second run, when the first one was killed after its change.
    var codes = [0]
    var sample = 6

    var testDescription: String {
      "\(command.joined(separator: " ")) after \(installed.joined(separator: ", "))"
    }
  }

  private static let all = ProcessInfo.processInfo.environment["SEALIFT_TEST_SWEEP"] == "all"

  private func release(_ version: String) -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(
      version: version,
      files: [
        "weights.bin": .random(150_000, seed: seed, chunkLength: 65_536),
        "deep/notes.txt": .random(100, seed: seed, chunkLength: nil),
      ]
    )
  }

  @Test(arguments: [
    Sweep(command: ["install"], installed: [], finished: ["1.1.0"]),
    Sweep(command: ["install"], installed: ["1.0.0"], finished: ["1.1.0"], sample: 16),
    Sweep(
      command: ["activate", "acme/tiny@1.0.0"],
      installed: ["1.0.0", "1.1.0"],
      finished: ["1.0.0"]
    ),
    Sweep(
      command: ["rollback", "acme/tiny"],
      installed: ["1.0.0", "1.1.0"],
      finished: ["1.0.0", "1.1.0"]
    ),
    Sweep(
      command: ["remove", "acme/tiny@1.0.0"],
      installed: ["1.0.0", "1.1.0"],
      finished: ["1.1.0"],
      codes: [0, 3]
    ),
    Sweep(command: ["remove", "acme/tiny"], installed: ["1.0.0", "1.1.0"], finished: [nil]),
  ])
  func `whatever call it was killed before, the store is whole and the same command goes on`(
    _ sweep: Sweep
  ) async throws {
    let home = try await ConsumerHome.trusting()
    var command = sweep.command
    if command == ["install"] {
      let next = release("1.1.0")
      command += [try home.publish(next), "--mirror", try home.fileMirror(next), "--jobs", "1"]
    }
    let tracer = try KillTracer(home)
    try await reset(home, sweep)
    let points = try await tracer.points(of: command)
    #expect(points.count > 20, "\(points)")
    let wanted = Self.all ? points.count : sweep.sample
    var random = SystemRandomNumberGenerator()
    var struck = 0
    var tried = 0
    for point in points.shuffled(using: &random) where struck < wanted {
      tried += 1
      if try await strike(command, at: point, tracer, home, sweep) { struck += 1 }
    }
    print("\(sweep.testDescription): \(struck) of \(tried) points struck, \(points.count) in all")
    #expect(Self.all ? struck * 3 > points.count : struck == wanted)
  }

  /// Kills the command at one point and judges what is left; false if it never came there.
  ///
  /// Which thread makes a call differs from run to run, and strace counts for each of them, so several runs are tried.
  private func strike(
    _ command: [String],
    at point: KillPoint,
    _ tracer: KillTracer,
    _ home: ConsumerHome,
    _ sweep: Sweep
  ) async throws -> Bool {
    for _ in 0..<4 {
      try await reset(home, sweep)
      let before = try home.oracle().active()?.version
      let killed = try await tracer.kill(command, at: point)
      try await check(home, sweep, point, killed, before: before)
      if killed.ending == .exited(0) { continue }
      let again = try await home.run(command)
      #expect(sweep.codes.contains(again.exitCode ?? -1), "\(point): \(again.errors)")
      #expect(sweep.finished.contains(try home.oracle().active()?.version), "\(point)")
      #expect(home.oracle().candidates.isEmpty, "\(point)")
      #expect(home.oracle().litter.isEmpty, "\(point)")
      return true
    }
    return false
  }

  /// Makes a new store with these versions, the last one active.
  private func reset(_ home: ConsumerHome, _ sweep: Sweep) async throws {
    if FileManager.default.fileExists(atPath: home.store) {
      let chmod = try #require(Tool.installed("chmod"))
      _ = try await chmod.run(["-R", "u+w", home.store])
      try FileManager.default.removeItem(atPath: home.store)
    }
    for version in sweep.installed { try await home.installed(release(version)) }
  }

  private func check(
    _ home: ConsumerHome,
    _ sweep: Sweep,
    _ point: KillPoint,
    _ killed: ToolOutcome,
    before: String?
  ) async throws {
    let active = try home.oracle().active()
    #expect(([before] + sweep.finished).contains(active?.version), "\(point)")
    // A path on standard output says that the change is done.
    if killed.output.contains("/files\n") {
      #expect(sweep.finished.contains(active?.version), "\(point)")
    }
    let status = try await home.run(["status", "--json"])
    #expect(status.ending == .exited(0), "\(point): \(status.errors)")
    guard let active else { return }
    let model = try #require(try status.events().first { $0["event"] == "model" }, "\(point)")
    #expect(model["state"] == "active", "\(point): \(status.output)")
    #expect(model["version"] == .string(active.version), "\(point): \(status.output)")
    #expect(model["busy"] == false, "\(point)")
    let path = try await home.run(["path", "acme/tiny"])
    #expect(path.output == "\(active.path)\n", "\(point): \(path.errors)")
  }
}
