import Foundation
import ReleaseSimulator
import TestSupport
import Testing

/// What becomes of a change that waits for signatures when a release has to be withdrawn meanwhile.
@Suite(.temporaryFolder)
struct RepositoryWaitingTests {
  /// A repository with tiny@1.0.0, and the keys `a`, `b` and `c`.
  private func make(_ options: String...) async throws -> SimulatedSigner {
    for name in ["a", "b", "c"] { try RepositoryBench.key(name) }
    return try await RepositoryBench.makeListed()
  }

  private func withdraw(_ words: String...) async throws -> ToolOutcome {
    try await publish(["repo", "withdraw", "public", "tiny@1.0.0", "--reason", "bad"] + words)
  }

  private func stageRotation() async throws {
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "root",
      "--add",
      "keys/a.pub",
      "--add",
      "keys/b.pub",
      "--threshold",
      "2",
      "--key",
      "keys/a.key",
      "--stage"
    )
  }

  @Test func `it is published at once, and the other waits on with the signatures of its root`()
    async throws
  {
    _ = try await make()
    try await stageRotation()
    let gone = try await withdraw("--key", "keys/owner.key")
    #expect(gone.exitCode == 0, "\(gone.errors)")
    #expect(gone.output.contains("effective for every client by"))
    #expect(
      gone.errors.contains("the change that waits was made for the new state, and lacks:\nroot: ")
    )
    #expect(try contents("public/metadata/3.targets.json").isEmpty == false)
    let status = try await publish("repo", "status", "public")
    #expect(status.exitCode == 10 && status.output.contains("waits for signatures: root"))
    let done = try await RepositoryBench.repo("sign", "public", "--key", "keys/owner.key")
    #expect(done.errors.contains("published root 2"), "\(done.errors)")
    try await RepositoryBench.repo("verify", "public")
    #expect(try await withdraw("--key", "keys/owner.key").exitCode == 6)
  }

  @Test func `without its keys it publishes nothing, and stages nothing over the other`()
    async throws
  {
    _ = try await make()
    try await stageRotation()
    let (before, waits) = (
      try RepositoryBench.served(), try contents("public/.sealift/pending/root.json")
    )
    for words in [["--key", "keys/a.key"], ["--stage"]] {
      let refused = try await publish(
        ["repo", "withdraw", "public", "tiny@1.0.0", "--reason", "bad"] + words
      )
      #expect(refused.exitCode == 6, "\(words): \(refused.errors)")
      #expect(try RepositoryBench.served() == before)
      #expect(try contents("public/.sealift/pending/root.json") == waits)
    }
  }

  @Test func `a list that waits is made for the new state, and what is withdrawn stays so`()
    async throws
  {
    let owner = try await make()
    let other = try RepositoryBench.manifest("other", "1.0.0", by: owner)
    try await RepositoryBench.repo("add", "public", other, "--stage")
    #expect(try await withdraw("--key", "keys/owner.key").exitCode == 0)
    let done = try await RepositoryBench.repo("sign", "public", "--key", "keys/owner.key")
    #expect(done.errors.contains("published targets 4, snapshot 4, timestamp 4"), "\(done.errors)")
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.output.contains("1 release, 1 blob, 0 findings\n"), "\(verified.output)")
    #expect(try await withdraw("--key", "keys/owner.key").exitCode == 6)
  }

  @Test func `a change of the same release is outdated, says so, and is taken back`() async throws {
    _ = try await make()
    try await RepositoryBench.repo(
      "channel",
      "public",
      "tiny@1.0.0",
      "--add",
      "beta",
      "--stage"
    )
    let gone = try await withdraw("--key", "keys/owner.key")
    #expect(gone.exitCode == 0)
    #expect(gone.errors.contains("warning: the change that waits is outdated"), "\(gone.errors)")
    let status = try await publish("repo", "status", "public")
    #expect(status.exitCode == 10 && status.errors.contains("the change that waits is outdated"))
    let signed = try await publish("repo", "sign", "public", "--key", "keys/owner.key")
    #expect(signed.exitCode == 7 && signed.errors.contains("repo sign --discard"))
    try await RepositoryBench.repo("sign", "public", "--discard")
    try await RepositoryBench.repo("verify", "public")
    #expect(try await publish("repo", "status", "public").exitCode == 0)
  }

  @Test func `a policy that waits takes the place of none that was published meanwhile`()
    async throws
  {
    _ = try await RepositoryBench.make()
    for name in ["a", "b"] { try RepositoryBench.key(name) }
    try RepositoryBench.copyTree(to: "other")
    try await RepositoryBench.repo("policy", "public", "--trust", "keys/a.pub", "--stage")
    // Another machine of the publisher has the same tree.
    try await RepositoryBench.repo(
      "policy",
      "other",
      "--trust",
      "keys/b.pub",
      "--key",
      "keys/owner.key"
    )
    let published = try RepositoryBench.served("other")
    for (name, bytes) in published { try place(bytes, at: "public/\(name)") }
    let signed = try await publish("repo", "sign", "public", "--key", "keys/owner.key")
    #expect(signed.exitCode == 7, "\(signed.errors)")
    #expect(signed.errors.contains("repo sign --discard"))
    #expect(try RepositoryBench.served() == published)
  }

  @Test func `a withdrawal is published although nobody can read what waits`() async throws {
    _ = try await make()
    try await stageRotation()
    let root = "public/.sealift/pending/root.json"
    try FileManager.default.removeItem(atPath: TemporaryFolder.path(root))
    try FileManager.default.createDirectory(
      atPath: TemporaryFolder.path(root),
      withIntermediateDirectories: false
    )
    let gone = try await withdraw("--key", "keys/owner.key")
    #expect(gone.exitCode == 0, "\(gone.errors)")
    #expect(gone.errors.contains("warning: "), "\(gone.errors)")
    #expect(try RepositoryBench.served()["metadata/3.targets.json"] != nil)
  }

  @Test func `what was put aside when a publisher was killed can be taken back`() async throws {
    _ = try await make()
    try await stageRotation()
    let folder = TemporaryFolder.path("public/.sealift")
    try FileManager.default.moveItem(atPath: "\(folder)/pending", toPath: "\(folder)/aside")
    try await RepositoryBench.repo("sign", "public", "--discard")
    #expect(try await publish("repo", "status", "public").exitCode == 0)
  }

  @Test func `what was put aside when a publisher was killed waits on`() async throws {
    _ = try await make()
    try await stageRotation()
    let folder = TemporaryFolder.path("public/.sealift")
    try FileManager.default.moveItem(atPath: "\(folder)/pending", toPath: "\(folder)/aside")
    let status = try await publish("repo", "status", "public")
    #expect(status.exitCode == 10 && status.output.contains("was interrupted"))
    let refused = try await publish("repo", "rotate", "public", "root", "--add", "keys/c.pub")
    #expect(refused.exitCode == 7, "\(refused.errors)")
    try await RepositoryBench.repo(
      "sign",
      "public",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/b.key"
    )
    try await RepositoryBench.repo("verify", "public")
  }
}
