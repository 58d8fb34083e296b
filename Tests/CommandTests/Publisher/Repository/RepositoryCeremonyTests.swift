import Foundation
import ReleaseSimulator
import TestSupport
import Testing

/// Changes that several people sign, one after the other.
@Suite(.temporaryFolder)
struct RepositoryCeremonyTests {
  /// A repository in which root, targets and the rest have a key each.
  private func make() async throws {
    for name in ["root", "old", "new", "online"] { try RepositoryBench.key(name) }
    try await RepositoryBench.repo(
      "init",
      "public",
      "--root-key",
      "keys/root.pub",
      "--targets-key",
      "keys/old.pub",
      "--snapshot-key",
      "keys/online.pub",
      "--timestamp-key",
      "keys/online.pub",
      "--trust",
      "keys/old.pub",
      "--key",
      "keys/root.key",
      "--key",
      "keys/old.key",
      "--key",
      "keys/online.key"
    )
  }

  private func sign(_ words: String...) async throws -> ToolOutcome {
    try await RepositoryBench.repo(["sign", "public"] + words)
  }

  private func stageNewTargetsKey() async throws {
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "targets",
      "--add",
      "keys/new.pub",
      "--remove",
      "keys/old.pub",
      "--key",
      "keys/root.key",
      "--stage"
    )
  }

  @Test
  func `a rotation that old keys have not signed waits for them, and then the root comes last`()
    async throws
  {
    try await make()
    try await stageNewTargetsKey()
    let before = try RepositoryBench.served()
    let complete = try await sign("--key", "keys/new.key", "--key", "keys/online.key")
    #expect(
      complete.errors.contains("it is complete; signatures of the old keys are still of use:")
    )
    #expect(complete.errors.contains("targets: 0 of 1 signatures"), "\(complete.errors)")
    #expect(try RepositoryBench.served() == before)
    let seen = try await publish("repo", "sign", "public")
    #expect(seen.exitCode == 10 && seen.errors.contains("still of use"))
    #expect(try RepositoryBench.served() == before)
    let done = try await sign("--key", "keys/old.key", "--key", "keys/online.key")
    #expect(done.errors.contains("published root 2, targets 2, snapshot 2, timestamp 2"))
    try await RepositoryBench.repo("verify", "public")
    let signatures =
      String(
        decoding: try contents("public/metadata/2.targets.json"),
        as: UTF8.self
      ).components(separatedBy: "\"sig\"").count - 1
    #expect(signatures == 2)
  }

  @Test(arguments: [["--key", "keys/online.key"], []])
  func `where old keys are lost, it is published without them when somebody says so`(
    keys: [String]
  ) async throws {
    try await make()
    try await stageNewTargetsKey()
    _ = try await sign("--key", "keys/new.key", "--key", "keys/online.key")
    let done = try await RepositoryBench.repo(["sign", "public", "--without-old-keys"] + keys)
    #expect(done.errors.contains("published root 2, targets 2, snapshot 2, timestamp 2"))
    try await RepositoryBench.repo("verify", "public")
  }

  @Test func `a key that has nothing to sign is told so`() async throws {
    try await make()
    try await stageNewTargetsKey()
    let signed = try await sign("--key", "keys/root.key")
    #expect(signed.errors.contains("signed nothing: it has signed, or has no say in these parts"))
  }

  @Test(arguments: ["", "{", "{\"schema\":\"sealift.pending/1\"}", "{\"schema\":\"other\"}"])
  func `a damaged change is named, with the way out, and can be taken back`(text: String)
    async throws
  {
    try await make()
    try await stageNewTargetsKey()
    try place(Array(text.utf8), at: "public/.sealift/pending/change.json")
    for words in [["status", "public"], ["sign", "public"]] {
      let outcome = try await publish(["repo"] + words)
      #expect(outcome.exitCode == 6, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains(".sealift/pending/change.json"), "\(outcome.errors)")
      #expect(outcome.errors.contains("repo sign --discard takes the change back"))
    }
    try await RepositoryBench.repo("sign", "public", "--discard")
    #expect(try await publish("repo", "status", "public").exitCode == 0)
  }

  @Test func `a role to which nothing delegates is signed and published by nobody`() async throws {
    try await make()
    try await stageNewTargetsKey()
    let folder = "public/.sealift/pending"
    var change = String(decoding: try contents("\(folder)/change.json"), as: UTF8.self)
    let start = try #require(change.range(of: "\"targets\": ["))
    change.insert(contentsOf: "\"evil\", ", at: start.upperBound)
    try place(Array(change.utf8), at: "\(folder)/change.json")
    try place(try contents("\(folder)/targets.json"), at: "\(folder)/evil.json")
    let before = try RepositoryBench.served()
    let refused = try await publish(
      "repo",
      "sign",
      "public",
      "--key",
      "keys/new.key",
      "--key",
      "keys/online.key"
    )
    #expect(refused.exitCode == 6)
    #expect(refused.errors.contains("has a role to which nothing delegates: evil"))
    #expect(try RepositoryBench.served() == before)
  }
}
