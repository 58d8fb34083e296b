import ReleaseSimulator
import Signatures
import TestSupport
import Testing

/// What `repo policy` says of the keys and releases that a new policy leaves out.
@Suite(.temporaryFolder)
struct RepositoryPolicyCommandTests {
  private func makeListed() async throws -> SimulatedSigner {
    try RepositoryBench.key("next")
    return try await RepositoryBench.makeListed()
  }

  @Test(arguments: [
    ["--trust", "keys/next.pub", "--models", "*"], ["--trust", "keys/next.pub"],
    ["--trust", "keys/next.pub", "--models", "tin*"],
    ["--trust", "keys/next.pub", "--models", "tiny"], ["--remove-models", "*"],
    ["--withdraw-key", "OWNER", "--reason", "lost"],
    ["--trust", "keys/owner.pub", "--trust", "keys/next.pub", "--threshold", "2"],
  ])
  func `a policy that would refuse a listed release is not published, and names it`(
    words: [String]
  ) async throws {
    let owner = try await makeListed()
    let before = try RepositoryBench.served()
    let change =
      ["repo", "policy", "public", "--key", "keys/owner.key"]
      + words.map { $0 == "OWNER" ? owner.fingerprint.description : $0 }
    let refused = try await publish(change)
    #expect(refused.exitCode == 6, "\(refused.output)\(refused.errors)")
    #expect(refused.errors.contains("the new policy would refuse 1 release"), "\(refused.errors)")
    #expect(refused.errors.contains("tiny@1.0.0: "))
    #expect(try RepositoryBench.served() == before)
    let forced = try await publish(change + ["--refuse-listed"])
    #expect(forced.exitCode == 0, "\(forced.errors)")
    #expect(try await publish("repo", "verify", "public").exitCode == 10)
  }

  @Test func `the keys that a pattern gets and loses are told, and a withdrawal of a key`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    let next = try RepositoryBench.key("next")
    let replaced = try await RepositoryBench.repo(
      "policy",
      "public",
      "--trust",
      "keys/next.pub",
      "--models",
      "*",
      "--key",
      "keys/owner.key"
    )
    #expect(
      replaced.output
        == "trust policy 2\n*: adds \(next.fingerprint), removes \(owner.fingerprint)\n"
    )
    let gone = try await RepositoryBench.repo(
      "policy",
      "public",
      "--withdraw-key",
      owner.fingerprint.description,
      "--reason",
      "stolen",
      "--key",
      "keys/owner.key"
    )
    #expect(
      gone.output
        == "trust policy 3\nwithdraws the key \(owner.fingerprint) for good: stolen\n"
    )
    let removed = try await RepositoryBench.repo(
      "policy",
      "public",
      "--remove-models",
      "*",
      "--key",
      "keys/owner.key"
    )
    #expect(
      removed.output == "trust policy 4\n*: removes \(next.fingerprint), no rule is left\n"
    )
  }

  @Test func `a key beside the old one refuses nothing`() async throws {
    _ = try await makeListed()
    try await RepositoryBench.repo(
      "policy",
      "public",
      "--trust",
      "keys/owner.pub",
      "--trust",
      "keys/next.pub",
      "--key",
      "keys/owner.key"
    )
    try await RepositoryBench.repo("verify", "public")
  }
}
