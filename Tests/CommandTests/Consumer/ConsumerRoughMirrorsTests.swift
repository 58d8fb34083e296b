import Foundation
import TestSupport
import Testing

/// Of four mirrors one is honest: the others cost little time and few bytes.
///
/// `scripts/test-transfer` runs it with 1 GiB and the honest mirror at 40 MB/s, and looks at the clock; the run of every
/// day counts bytes only.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)))
struct ConsumerRoughMirrorsTests {
  private static let fullSize = longSetting("SEALIFT_TEST_TRANSFER_BYTES", else: 0)
  private let size = fullSize > 0 ? fullSize : 24 << 20

  @Test func `three bad mirrors beside an honest one cost a third of its time at most`()
    async throws
  {
    let home = try await ConsumerHome.trusting().withAllConnections
    // Everything in proportion to the file, as 1 GiB in chunks of 1 MiB is to 40 MB/s.
    let chunkLength = size >= 1 << 30 ? 1 << 20 : 1 << 16
    let release = try LargeRelease(size, version: "1.1.0", chunkLength: chunkLength, at: home)
    let mirrors = [
      try FaultyMirror(folder: release.folder, .flipEvery(10 * chunkLength)),
      try FaultyMirror(folder: release.folder, .stallAt(size * 3 / 10)),
      try FaultyMirror(folder: release.folder), try FaultyMirror(folder: release.folder),
    ]
    let rate = max(4_000_000, size / 27)
    for mirror in mirrors { mirror.rate = rate }
    mirrors[2].rate = rate / 40
    let alone = try await install(release, from: [mirrors[3]], home)
    try home.removeStore()
    let all = try await install(release, from: mirrors, home)
    if Self.fullSize > 0 {
      // Half a second for what a loaded machine takes to start and end a process.
      #expect(all.wallSeconds < 1.3 * alone.wallSeconds + 0.5, "alone \(alone.wallSeconds) s")
    }
    let shares = try mirrors.map { try all.share(of: $0) }
    let wasted = shares.reduce(0) { $0 + $1.wasted }
    #expect(wasted < size / 50, "\(shares)")
    #expect(shares.reduce(0) { $0 + $1.good } >= size)
    print("rough mirrors: \(all.wallSeconds) s, alone \(alone.wallSeconds) s, wasted \(wasted)")
  }

  private func install(
    _ release: LargeRelease,
    from mirrors: [FaultyMirror],
    _ home: ConsumerHome
  ) async throws -> ToolOutcome {
    let outcome = try await home.run(
      ["install", release.manifest, "--json", "--allow-downgrade"]
        + mirrors.flatMap { ["--mirror", "\($0.url)/{name}"] }
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active()?.version == "1.1.0")
    return outcome
  }
}
