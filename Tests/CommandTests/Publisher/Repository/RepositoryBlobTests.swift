import Foundation
import Manifests
import ReleaseSimulator
import TestSupport
import Testing

/// Blobs that are lost, damaged, or never came.
@Suite(.temporaryFolder)
struct RepositoryBlobTests {
  private static let own = "https://models.example.com/blobs/sha256/{sha256}"
  private static let elsewhere = "https://cdn.example.com/{model}/{version}/{name}"

  private func add(_ words: String...) async throws -> ToolOutcome {
    try await publish(["repo", "add", "public", "m.json", "--key", "keys/owner.key"] + words)
  }

  /// Makes a repository, and `m.json` of a release with its files in `files`.
  private func make(mirrors: [String] = []) async throws {
    let owner = try await RepositoryBench.make()
    var release = try SimulatedRelease(
      "tiny",
      "1.0.0",
      files: [SimulatedFile("config.json", Array("{}".utf8))]
    )
    release.mirrors = try mirrors.map { try MirrorTemplate($0) }
    try place(try release.manifest(signedBy: [owner]), at: "m.json")
    try release.write(to: TemporaryFolder.path("files"))
  }

  private func blob() throws -> String {
    try #require(try RepositoryBench.served().keys.first { $0.hasPrefix("blobs/") })
  }

  @Test(arguments: [
    ([], true), ([own], true), ([elsewhere], false),
    ([own, elsewhere], false),
  ])
  func `a blob that only the tree can have is missed by add and verify`(
    mirrors: [String],
    isMissed: Bool
  ) async throws {
    try await make(mirrors: Array(Set(mirrors)))
    let added = try await add()
    #expect(added.exitCode == 0)
    #expect(added.errors.contains("1 file of the release are not among the blobs") == isMissed)
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.exitCode == (isMissed ? 10 : 0), "\(verified.output)")
    let elsewhere = try await publish("repo", "verify", "public", "--blobs-elsewhere")
    #expect(elsewhere.exitCode == (mirrors.isEmpty ? 10 : 0), "\(elsewhere.output)")
    try await RepositoryBench.add("m.json", files: "files")
    try await RepositoryBench.repo("verify", "public", "--full")
  }

  @Test func `a lost blob is found by its absence alone`() async throws {
    try await make(mirrors: [Self.own])
    #expect(try await add("--files", "files").exitCode == 0)
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/\(blob())"))
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.exitCode == 10)
    #expect(verified.output.hasPrefix("tiny@1.0.0: config.json is not among the blobs"))
  }

  @Test(arguments: ["[]", "{} "])
  func `add replaces a blob that is wrong, by its bytes or its size, and says so`(
    damage: String
  ) async throws {
    try await make()
    #expect(try await add("--files", "files").exitCode == 0)
    let (blob, before) = (try blob(), try RepositoryBench.served())
    try place(Array(damage.utf8), at: "public/\(blob)")
    let mended = try await add("--files", "files")
    #expect(mended.exitCode == 0, "\(mended.errors)")
    #expect(mended.output.hasPrefix("replaced the blob of config.json, which was damaged\n"))
    #expect(try RepositoryBench.served() == before)
    try await RepositoryBench.repo("verify", "public", "--full")
    let again = try await add("--files", "files")
    #expect(again.output == "nothing to change in public\n")
    #expect(again.errors.contains("copied 0 bytes in 0 files"))
  }

  @Test func `a wrong blob and a wrong file are no success, and the blob stays`() async throws {
    try await make()
    #expect(try await add("--files", "files").exitCode == 0)
    let blob = try blob()
    try place(Array("[]".utf8), at: "public/\(blob)")
    try place(Array("()".utf8), at: "files/config.json")
    let refused = try await add("--files", "files")
    #expect(refused.exitCode == 5)
    #expect(try contents("public/\(blob)") == Array("[]".utf8))
  }

  @Test func `a listed release stays in its channels, and the way to others is named`() async throws
  {
    try await make()
    #expect(try await add("--files", "files").exitCode == 0)
    let other = try await add("--files", "files", "--channel", "beta")
    #expect(other.exitCode == 0 && other.output == "nothing to change in public\n")
    #expect(other.errors.contains("tiny@1.0.0 is listed already, in stable, and stays there"))
    #expect(other.errors.contains("repo channel DIR tiny@1.0.0 --add NAME changes that"))
    #expect(try await !add("--files", "files").errors.contains("listed already"))
  }
}
