import Foundation
import Manifests
import Publishing
import TestSupport
import Testing
import Trust

/// What a repository with 10,000 releases costs; `scripts/measure-repository` prints the figures.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(60)),
  .enabled(
    if: ProcessInfo.processInfo.environment["SEALIFT_LARGE_REPOSITORY"] != nil,
    "takes minutes; scripts/measure-repository runs it"
  )
)
struct LargeRepositoryTests {
  private static let models = 100
  private static let versions = 100

  @Test func `one more release than 10,000 rewrites little, and an update check fetches little`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    var paths: [String] = []
    for model in 0..<Self.models {
      for version in 0..<Self.versions {
        paths.append(try RepositoryBench.manifest("m\(model)", "1.\(version).0", by: owner))
      }
    }
    let added = try await measured(
      ["repo", "add", "public"] + paths + ["--key", "keys/owner.key"]
    )
    try #require(added.exitCode == 0, "\(added.errors)")
    tell("10,000 releases in one publication", added)
    let before = try RepositoryBench.served()
    let path = try RepositoryBench.manifest("m7", "2.0.0", by: owner)
    let one = try await measured(["repo", "add", "public", path, "--key", "keys/owner.key"])
    try #require(one.exitCode == 0, "\(one.errors)")
    tell("one more", one)
    let after = try RepositoryBench.served()
    let written = after.filter { before[$0.key] != $0.value }
    let rewritten = written.values.reduce(0) { $0 + $1.count }
    print("one more release writes \(rewritten) bytes in \(written.count) files:")
    for (name, bytes) in written.sorted(by: { $0.key < $1.key }) {
      print("  \(bytes.count) \(name)")
    }
    #expect(rewritten < 150_000)
    try tellUpdateCheck(after)
    tell("verify", try await measured(["repo", "verify", "public"]))
  }

  /// Runs the tool itself, whose memory is then known.
  private func measured(_ words: [String]) async throws -> ToolOutcome {
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    tool.timeout = .seconds(1_800)
    return try await tool.run(words)
  }

  private func tellUpdateCheck(_ files: [String: [UInt8]]) throws {
    let tree = try RepositoryTree(path: TemporaryFolder.path("public"))
    let now = try #require(Timestamp(seconds: Int64(time(nil))))
    let state = try tree.state(at: now)
    let path = try #require(TargetPath(RepositoryPath.index(of: try ModelName("m7"))))
    let bin = try #require(state.bins[state.role(of: path)])
    let index = try #require(bin.contents.targets[path])
    let check =
      state.timestamp.bytes.count + state.snapshot.bytes.count + bin.bytes.count + index.length
    print(
      "an update check of one model fetches \(check) bytes: timestamp \(state.timestamp.bytes.count), snapshot "
        + "\(state.snapshot.bytes.count), bin \(bin.bytes.count), index \(index.length); without news the timestamp alone"
    )
    #expect(check < 100_000)
  }

  private func tell(_ what: String, _ outcome: ToolOutcome) {
    print("\(what): \(outcome.wallSeconds) s, \(outcome.peakMemory >> 20) MiB")
  }
}
