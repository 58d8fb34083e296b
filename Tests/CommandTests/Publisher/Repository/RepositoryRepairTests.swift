import Foundation
import ReleaseSimulator
import StrictJSON
import TestSupport
import Testing

/// What of a tree can be lost and had again, and what is said of the rest.
@Suite(.temporaryFolder)
struct RepositoryRepairTests {
  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/\(name)"))
  }

  private func refresh(_ words: String...) async throws -> ToolOutcome {
    try await publish(["repo", "refresh", "public", "--key", "keys/owner.key"] + words)
  }

  /// A repository whose root has two versions.
  private func makeTwoRoots() async throws {
    _ = try await RepositoryBench.make()
    try RepositoryBench.key("new")
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "root",
      "--add",
      "keys/new.pub",
      "--key",
      "keys/owner.key"
    )
  }

  @Test(arguments: ["{}", nil])
  func `the copy of the newest root is missed by verify, and refresh brings it back`(
    other: String?
  ) async throws {
    try await makeTwoRoots()
    let before = try RepositoryBench.served()
    try remove("metadata/root.json")
    if let other { try place(Array(other.utf8), at: "public/metadata/root.json") }
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.exitCode == 10)
    #expect(verified.output.hasPrefix("metadata/root.json is missing, or is not the newest root"))
    let mended = try await refresh()
    #expect(mended.exitCode == 0)
    #expect(mended.output == "brought metadata/root.json back\nnothing to change in public\n")
    #expect(try RepositoryBench.served() == before)
  }

  @Test func `the newest numbered root is brought back from its copy`() async throws {
    try await makeTwoRoots()
    let before = try RepositoryBench.served()
    try remove("metadata/2.root.json")
    for words in [["verify", "public"], ["status", "public"]] {
      let outcome = try await publish(["repo"] + words)
      #expect(outcome.exitCode == 6, "\(words)")
      #expect(outcome.errors.contains("the repository lacks metadata/2.root.json"))
      #expect(outcome.errors.contains("repo refresh brings the newest root back"))
    }
    #expect(try await refresh().output.hasPrefix("brought metadata/2.root.json back\n"))
    #expect(try RepositoryBench.served() == before)
  }

  @Test func `without its first root a tree is a repository still, and init makes no other`()
    async throws
  {
    _ = try await RepositoryBench.make()
    let before = try RepositoryBench.served()
    try remove("metadata/1.root.json")
    let status = try await publish("repo", "status", "public")
    #expect(status.exitCode == 6)
    #expect(status.errors.contains("the repository lacks metadata/1.root.json"))
    #expect(try await publish("repo", "init", "public", "--key", "keys/owner.key").exitCode == 2)
    #expect(try await refresh().exitCode == 0)
    #expect(try RepositoryBench.served() == before)
  }

  @Test func `a copy that does not follow the roots before it is no root`() async throws {
    try await makeTwoRoots()
    try remove("metadata/2.root.json")
    var bytes = try contents("public/metadata/root.json")
    let at = try #require(bytes.firstIndex(of: UInt8(ascii: "9")))
    bytes[at] = UInt8(ascii: "8")
    try place(bytes, at: "public/metadata/root.json")
    #expect(try await refresh().exitCode == 6)
    #expect(try RepositoryBench.served()["metadata/2.root.json"] == nil)
  }

  @Test func `a lost timestamp is made anew above what clients saw, by its keys alone`()
    async throws
  {
    _ = try await RepositoryBench.make()
    try RepositoryBench.key("stranger")
    let there = try await refresh("--timestamp-above", "7")
    #expect(there.exitCode == 2 && there.errors.contains("is there, and is not made anew"))
    try remove("metadata/timestamp.json")
    let lost = try await refresh()
    #expect(lost.exitCode == 6 && lost.errors.contains("repo refresh --timestamp-above N"))
    let stranger = try await publish(
      "repo",
      "refresh",
      "public",
      "--timestamp-above",
      "7",
      "--key",
      "keys/stranger.key"
    )
    #expect(stranger.exitCode == 6 && stranger.errors.contains("timestamp: 0 of 1 signatures"))
    #expect(try RepositoryBench.served()["metadata/timestamp.json"] == nil)
    // No number of a file is written so.
    try place(Array("{}".utf8), at: "public/metadata/007.snapshot.json")
    let made = try await refresh("--timestamp-above", "7")
    #expect(made.exitCode == 0, "\(made.errors)")
    #expect(made.output.hasPrefix("made metadata/timestamp.json anew, version 8\n"))
    try await RepositoryBench.repo("verify", "public")
    let status = try await publish("repo", "status", "public", "--json")
    let row = try status.events().first { $0["role"] == "timestamp" }
    #expect(row?["version"] == 8)
  }

  @Test func `a timestamp is made for no snapshot that clients refuse`() async throws {
    _ = try await RepositoryBench.make()
    try remove("metadata/timestamp.json")
    var bytes = try contents("public/metadata/1.snapshot.json")
    bytes[bytes.count - 8] ^= 1
    try place(bytes, at: "public/metadata/1.snapshot.json")
    #expect(try await refresh("--timestamp-above", "7").exitCode == 6)
    #expect(try RepositoryBench.served()["metadata/timestamp.json"] == nil)
  }

  @Test func `a manifest that has grown is a finding, and ends no check`() async throws {
    _ = try await RepositoryBench.makeListed()
    let name = try #require(
      try RepositoryBench.served().keys.first { $0.hasPrefix("targets/manifests/") }
    )
    try place(try contents("public/\(name)") + [0x20], at: "public/\(name)")
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.exitCode == 10)
    #expect(verified.output.hasPrefix("manifests/tiny/1.0.0.json is missing, or is not what"))
  }
}
