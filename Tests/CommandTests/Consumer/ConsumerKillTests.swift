import Foundation
import TestSupport
import Testing

/// `kill -9` at random moments of a transfer costs no verified chunk and never the old version.
///
/// `scripts/test-kill` runs it at full length: 20 kills of 200 MB.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)), .enabled(if: NginxMirror.isAvailable))
struct ConsumerKillTests {
  /// What happened in one run of the tool.
  private struct Run {
    let start: Double
    /// The right bytes that were on disk before it.
    let held: Int
  }

  private let kills = setting("SEALIFT_TEST_KILLS", else: 5)
  private let size = setting("SEALIFT_TEST_KILL_BYTES", else: 40_000_000)
  private let seed = UInt64(setting("SEALIFT_TEST_SEED", else: 1))

  private static func setting(_ name: String, else value: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
  }

  @Test func `each next run resumes, fetches no verified chunk again, and the last one is active`()
    async throws
  {
    var random = SplitMix64(seed: seed)
    let home = try await ConsumerHome.trusting()
    try await home.installed(ConsumerRelease(files: ["weights.bin": .random(300_000)]))
    let release = try LargeRelease(size, version: "1.1.0", at: home)
    let rate = max(10_000_000, size / 10)
    let nginx = try await NginxMirror(folder: release.folder, NginxOptions(limitRate: rate))
    let install = ["install", release.manifest, "--mirror", "\(nginx.url)/{name}"]
    let longest = 1.5 * Double(size) / Double(rate) / Double(kills)
    var runs: [Run] = []
    for _ in 0..<kills {
      runs.append(Run(start: now(), held: try release.heldBytes(in: home.oracle())))
      let running = try home.start(install)
      try await Task.sleep(for: .seconds(Double.random(in: 0..<longest, using: &random)))
      running.kill()
      let outcome = await running.wait()
      let active = try #require(try home.oracle().active())
      #expect(active.version == "1.0.0" || outcome.ending == .exited(0))
      #expect(try release.heldBytes(in: home.oracle()) >= (runs.last?.held ?? 0))
    }
    runs.append(Run(start: now(), held: try release.heldBytes(in: home.oracle())))
    let last = try await home.run(install)
    #expect(last.ending == .exited(0), "\(last.errors)")
    #expect(try home.oracle().active()?.version == "1.1.0")
    #expect(home.oracle().candidates.isEmpty)
    #expect(home.oracle().litter.isEmpty)
    await nginx.stop()
    try check(runs, try nginx.requests())
  }

  /// Every run begins where the right bytes of the runs before it end.
  private func check(_ runs: [Run], _ requests: [NginxRecord]) throws {
    let ends = runs.dropFirst().map(\.start) + [.infinity]
    for (run, end) in zip(runs, ends) {
      // nginx counts in whole milliseconds.
      let own = requests.filter { (run.start - 0.002..<end - 0.002).contains($0.time - $0.seconds) }
      for request in own {
        #expect(try firstByte(of: request) >= run.held, "\(request.range) after \(run.held)")
      }
    }
    let lost = requests.reduce(0) { $0 + $1.bytes } - size
    print("kills: \(runs.count - 1), bytes served twice: \(lost) of \(size)")
    // What is lost with a process is the chunk in flight, and what the kernel holds of the connection.
    #expect(lost <= (runs.count - 1) * (LargeRelease.chunkLength + 4 << 20))
  }

  private func firstByte(of request: NginxRecord) throws -> Int {
    guard !request.range.isEmpty else { return 0 }
    let first = request.range.dropFirst("bytes=".count).prefix { $0 != "-" }
    return try #require(Int(first))
  }

  private func now() -> Double { Date().timeIntervalSince1970 }
}
