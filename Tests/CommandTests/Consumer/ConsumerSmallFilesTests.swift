import TestSupport
import Testing

/// A release of many small files; `scripts/benchmark transfer --part small` measures 2,000 of them.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerSmallFilesTests {
  @Test func `small files come by one request each, over few connections that are kept`()
    async throws
  {
    let home = try await ConsumerHome.trusting().withAllConnections
    let files = Dictionary(
      uniqueKeysWithValues: (0..<300).map { index in
        ("\(index).bin", ConsumerRelease.Content.random(2000 + index, seed: UInt64(index)))
      }
    )
    let release = ConsumerRelease(files: files)
    let mirrors = try (0..<2).map { _ in try FaultyMirror(files: files.mapValues(\.bytes)) }
    let outcome = try await home.run(
      ["install", try home.publish(release), "--json"]
        + mirrors.flatMap { ["--mirror", "\($0.url)/{name}"] }
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active() != nil)
    #expect(outcome.peakMemory < 64 << 20)
    let requests = mirrors.flatMap(\.requests)
    // The end of the run may ask twice for what a mirror is slow with, and a loaded machine makes mirrors slow.
    #expect((300...330).contains(requests.count))
    // Four at once; one whose answer is given up for another's is not used again. One a request would be 150.
    for mirror in mirrors { #expect(Set(mirror.requests.map(\.connection)).count <= 40) }
  }
}
