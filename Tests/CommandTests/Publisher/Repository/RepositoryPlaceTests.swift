import Foundation
import ReleaseSimulator
import StrictJSON
import TestSupport
import Testing

/// `repo status` and `repo verify` of what is served, from a pinned root.
@Suite(.temporaryFolder)
struct RepositoryPlaceTests {
  private var url: String { "file://" + TemporaryFolder.path("public") }

  private func look(_ word: String, _ words: String...) async throws -> ToolOutcome {
    try await publish(["repo", word, url, "--root", "pin.json"] + words)
  }

  /// A repository with `acme/tiny` and a root of three versions; `pin.json` is its second one.
  private func make(_ options: String..., bins: Bool = false) async throws {
    let owner = try RepositoryBench.key("owner")
    try await RepositoryBench.repo(
      ["init", "public", "--key", "keys/owner.key"] + options + (bins ? ["--bins"] : [])
    )
    for name in ["a", "b"] {
      try RepositoryBench.key(name)
      try await RepositoryBench.repo(
        "rotate",
        "public",
        "root",
        "--add",
        "keys/\(name).pub",
        "--key",
        "keys/owner.key"
      )
    }
    let release = try SimulatedRelease(
      "acme/tiny",
      "1.0.0",
      files: [SimulatedFile("config.json", Array("{}".utf8))]
    )
    try place(try release.manifest(signedBy: [owner]), at: "m.json")
    try release.write(to: TemporaryFolder.path("files"))
    try await RepositoryBench.add("m.json", files: "files")
    try place(try contents("public/metadata/2.root.json"), at: "pin.json")
  }

  @Test(arguments: [false, true])
  func `what is served is good, from a root that is not the first one`(bins: Bool) async throws {
    try await make(bins: bins)
    // What clients never ask for is not needed.
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/metadata/1.root.json"))
    let verified = try await look("verify")
    #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
    #expect(verified.output == "1 release, 0 blobs, 0 findings\n")
    let status = try await look("status", "--within", "2d")
    #expect(status.exitCode == 0, "\(status.errors)")
    #expect(status.output.contains("root       "), "\(status.output)")
    #expect(status.output.split(separator: "\n").count == (bins ? 6 : 5))
  }

  @Test func `status ends with 10 where what is served ends soon`() async throws {
    try await make("--lifetime", "timestamp=7d")
    let due = try await look("status", "--within", "40d", "--json")
    #expect(due.exitCode == 10)
    #expect(try due.summary()["due"] == ["timestamp"])
  }

  @Test func `a lost manifest is a finding, and a lost list is refused`() async throws {
    try await make()
    let served = try RepositoryBench.served().keys
    let manifest = try #require(served.first { $0.hasPrefix("targets/manifests/") })
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/\(manifest)"))
    let found = try await look("verify")
    #expect(found.exitCode == 10)
    #expect(found.output.hasPrefix("manifests/acme+tiny/1.0.0.json is missing"), "\(found.output)")
    let list = try #require(served.filter { $0.hasSuffix(".targets.json") }.max())
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/\(list)"))
    #expect(try await look("verify").exitCode == 6)
    #expect(try await look("status").exitCode == 6)
  }

  @Test func `a pinned root of another repository is refused, and an unreachable server is 4`()
    async throws
  {
    try await make()
    try await RepositoryBench.repo("init", "other", "--key", "keys/a.key")
    try place(try contents("other/metadata/1.root.json"), at: "pin.json")
    #expect(try await look("verify").exitCode == 6)
    let gone = try await publish(
      "repo",
      "verify",
      "http://127.0.0.1:1/",
      "--root",
      "pin.json"
    )
    #expect(gone.exitCode == 4, "\(gone.errors)")
    #expect(gone.errors.contains("check the URL, or try again later"))
  }

  @Test(arguments: ["verify", "status"])
  func `a URL without a repository is told as one, and helps for the folder are left out`(
    word: String
  ) async throws {
    try await make()
    let name = try #require(
      try RepositoryBench.served().keys.filter { $0.hasSuffix(".targets.json") }.max()
    )
    let list = try contents("public/\(name)")
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("public/\(name)"))
    let lost = try await look(word)
    #expect(lost.exitCode == 6, "\(lost.errors)")
    #expect(lost.errors.contains("copy it whole to where it is served"), "\(lost.errors)")
    try place(list, at: "public/\(name)")
    try FileManager.default.removeItem(
      atPath: TemporaryFolder.path("public/metadata/timestamp.json")
    )
    let wrong = try await look(word)
    #expect(wrong.exitCode == 4, "\(wrong.errors)")
    #expect(wrong.errors.contains("there is no repository at any of its URLs"))
    #expect(wrong.errors.contains("check the URL"))
    #expect(!wrong.errors.contains("--timestamp-above"))
    try place([UInt8](repeating: 0x20, count: 1 << 20), at: "public/metadata/timestamp.json")
    let long = try await look(word)
    #expect(long.exitCode == 6, "\(long.errors)")
    #expect(long.errors.contains("metadata/timestamp.json is longer than they take"))
    #expect(!long.errors.contains("try again later"))
  }

  @Test(arguments: [
    (["status", "https://models.example.com"], "a URL is judged from a root"),
    (["verify", "public", "--root", "1.root.json"], "go with a URL"),
    (["verify", "https://a.example.com", "--root", "r", "--full"], "blobs of a folder"),
    (["status", "https://a.example.com/?b", "--root", "r"], "is no URL of a repository"),
  ])
  func `what makes no sense is refused`(words: [String], message: String) async throws {
    let outcome = try await publish(["repo"] + words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
