import Foundation
import TestSupport
import Testing

/// `kill -9` at random moments of a transfer costs no verified chunk and never the old version.
///
/// `scripts/test-kill` runs it at full length, with more kills of a larger file.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)), .enabled(if: NginxMirror.isAvailable))
struct ConsumerKillTests {
  /// What happened in one run of the tool.
  private struct Run {
    let start: Double
    /// The chunks that were on disk and right before it.
    let held: [Range<Int>]

    var heldBytes: Int { held.reduce(0) { $0 + $1.count } }
  }

  /// The most connections of an install, and what may be lost with each: a chunk, and what the kernel holds.
  private static let (connections, lossForEach) = (8, 1 << 20 + 5 << 20)

  private let kills = longSetting("SEALIFT_TEST_KILLS", else: 5)
  private let size = longSetting("SEALIFT_TEST_KILL_BYTES", else: 40_000_000)
  private let seed = UInt64(longSetting("SEALIFT_TEST_SEED", else: 1))

  @Test func `each next run resumes, fetches no verified chunk again, and the last one is active`()
    async throws
  {
    var random = SplitMix64(seed: seed)
    let home = try await ConsumerHome.trusting().withAllConnections
    try await home.installed(ConsumerRelease(files: ["weights.bin": .random(300_000)]))
    let release = try LargeRelease(size, version: "1.1.0", at: home)
    let rate = max(4_000_000, size / 25)
    let nginx = try await NginxMirror(folder: release.folder, NginxOptions(limitRate: rate))
    let install = ["install", release.manifest, "--mirror", "\(nginx.url)/{name}"]
    // An install of several connections ends before one of that rate would.
    let longest = 0.8 * Double(size) / Double(rate) / Double(kills)
    var runs: [Run] = []
    for _ in 0..<kills {
      runs.append(Run(start: now(), held: try release.heldChunks(in: home.oracle())))
      // What is there is hashed before the rest is fetched.
      let hashing = 0.1 + Double(runs.last?.heldBytes ?? 0) / 1e9
      let running = try home.start(install)
      let delay = Double.random(in: 0..<longest + hashing, using: &random)
      try await Task.sleep(for: .seconds(delay))
      running.kill()
      let outcome = await running.wait()
      let active = try #require(try home.oracle().active())
      // A kill may come between the change and the end of the process.
      #expect(["1.0.0", "1.1.0"].contains(active.version))
      #expect(outcome.ending != .exited(0) || active.version == "1.1.0")
      let held = Set(try release.heldChunks(in: home.oracle()))
      #expect(held.isSuperset(of: runs.last?.held ?? []))
    }
    runs.append(Run(start: now(), held: try release.heldChunks(in: home.oracle())))
    let last = try await home.run(install)
    #expect(last.ending == .exited(0), "\(last.errors)")
    #expect(try home.oracle().active()?.version == "1.1.0")
    #expect(home.oracle().candidates.isEmpty)
    #expect(home.oracle().litter.isEmpty)
    await nginx.stop()
    try check(runs, try nginx.requests())
  }

  /// No run asks for a byte that was on disk and right before it.
  private func check(_ runs: [Run], _ requests: [NginxRecord]) throws {
    let ends = runs.dropFirst().map(\.start) + [.infinity]
    for (run, end) in zip(runs, ends) {
      // nginx counts in whole milliseconds.
      let own = requests.filter { (run.start - 0.002..<end - 0.002).contains($0.time - $0.seconds) }
      for request in own {
        let asked = try range(of: request)
        #expect(!run.held.contains { $0.overlaps(asked) }, "\(asked)")
      }
    }
    let served = requests.reduce(0) { $0 + $1.bytes }
    print("kills: \(runs.count - 1), bytes served twice: \(served - size) of \(size)")
    #expect(served - size <= (runs.count - 1) * Self.connections * Self.lossForEach)
  }

  private func range(of request: NginxRecord) throws -> Range<Int> {
    guard !request.range.isEmpty else { return 0..<size }
    let ends = request.range.dropFirst("bytes=".count).split(separator: "-").map { Int($0) }
    let (first, last) = (try #require(ends.first ?? nil), try #require(ends.last ?? nil))
    return first..<last + 1
  }

  private func now() -> Double { Date().timeIntervalSince1970 }
}
