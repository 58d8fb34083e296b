import Foundation
import Publishing
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// What `sealift-publish repo …` prints, and how it ends.
@Suite(.temporaryFolder)
struct RepositoryCommandTests {
  @Test
  func
    `init makes a repository of one key, says once that it is weak, and prints the digest of the first root`()
    async throws
  {
    try RepositoryBench.key("owner")
    let made = try await publish("repo", "init", "public", "--key", "keys/owner.key")
    #expect(made.exitCode == 0)
    #expect(made.output.hasPrefix("make a repository\nsha256 of 1.root.json: "))
    #expect(made.errors.components(separatedBy: "warning:").count == 2)
    #expect(made.errors.contains("splits the root off, without a change on clients"))
    let again = try await publish("repo", "init", "public", "--key", "keys/owner.key")
    #expect(again.exitCode == 2)
    #expect(again.errors.hasPrefix("error: there is a repository in public already\n"))
  }

  @Test func `add publishes, the same again changes nothing, and other bytes are refused`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    let path = try RepositoryBench.manifest("tiny", "1.0.0", by: owner, withFiles: true)
    let words = [
      "repo", "add", "public", path, "--files", "files-1.0.0", "--key", "keys/owner.key",
    ]
    let added = try await publish(words)
    #expect(added.exitCode == 0)
    #expect(added.output == "add tiny@1.0.0 in stable\n")
    #expect(added.errors.contains("published targets 2, snapshot 2, timestamp 2\n"))
    let before = try RepositoryBench.served()
    let again = try await publish(words)
    #expect(again.exitCode == 0 && again.output == "nothing to change in public\n")
    #expect(try RepositoryBench.served() == before)
    let other = try RepositoryBench.key("other")
    try RepositoryBench.manifest("tiny", "1.0.0", by: other)
    let refused = try await publish(words)
    #expect(refused.exitCode == 6)
    #expect(refused.errors.contains("the trust policy of the repository decides"))
    #expect(try RepositoryBench.served() == before)
  }

  @Test func `a file that differs from the manifest is not copied, and nothing is published`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    let path = try RepositoryBench.manifest("tiny", "1.0.0", by: owner)
    let before = try RepositoryBench.served()
    try place(Array("{\"v\":\"1.0.1\"}".utf8), at: "files/config.json")
    let outcome = try await publish(
      "repo",
      "add",
      "public",
      path,
      "--files",
      "files",
      "--key",
      "keys/owner.key"
    )
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("config.json is not the file that the manifest names"))
    #expect(try RepositoryBench.served() == before)
    let missing = try await publish(
      "repo",
      "add",
      "public",
      path,
      "--files",
      "manifests",
      "--key",
      "keys/owner.key"
    )
    #expect(missing.exitCode == 3)
  }

  @Test func `status ends with 10 where something is due, and tells programs the same`()
    async throws
  {
    _ = try await RepositoryBench.make("--lifetime", "timestamp=7d")
    let good = try await publish("repo", "status", "public", "--within", "2d")
    #expect(good.exitCode == 0)
    #expect(good.output.split(separator: "\n").count == 5)
    let due = try await publish("repo", "status", "public", "--within", "14d", "--json")
    #expect(due.exitCode == 10)
    let events = try due.events()
    #expect(events.count { $0["event"] == "role" } == 4)
    let summary = try due.summary()
    #expect(summary["isDue"] == true && summary["due"] == ["timestamp"])
  }

  @Test func `refresh renews what is due alone, and nothing where nothing is`() async throws {
    _ = try await RepositoryBench.make("--lifetime", "timestamp=7d")
    let before = try RepositoryBench.served()
    let early = try await publish(
      "repo",
      "refresh",
      "public",
      "--within",
      "2d",
      "--key",
      "keys/owner.key"
    )
    #expect(early.exitCode == 0 && early.output == "nothing to change in public\n")
    #expect(try RepositoryBench.served() == before)
    let due = try await publish("repo", "refresh", "public", "--key", "keys/owner.key")
    #expect(due.output == "renew timestamp\n")
    let after = try RepositoryBench.served()
    #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == ["metadata/timestamp.json"])
  }

  @Test func `a withdrawal says by when it reaches every client`() async throws {
    let owner = try await RepositoryBench.make()
    let path = try RepositoryBench.manifest("tiny", "1.0.0", by: owner)
    try await RepositoryBench.repo("add", "public", path, "--key", "keys/owner.key")
    let waits = try await RepositoryBench.repo(
      "withdraw",
      "public",
      "tiny@1.0.0",
      "--reason",
      "wrong tokenizer",
      "--stage"
    )
    #expect(!waits.output.contains("effective") && !waits.errors.contains("effective"))
    try await RepositoryBench.repo("sign", "public", "--discard")
    let gone = try await RepositoryBench.repo(
      "withdraw",
      "public",
      "tiny@1.0.0",
      "--reason",
      "wrong tokenizer",
      "--key",
      "keys/owner.key"
    )
    let lines = gone.output.split(separator: "\n")
    #expect(lines.first == "withdraw tiny@1.0.0: wrong tokenizer")
    #expect(lines.last?.hasPrefix("effective for every client by 20") == true)
    let again = try await publish(
      "repo",
      "withdraw",
      "public",
      "tiny@1.0.0",
      "--reason",
      "again",
      "--key",
      "keys/owner.key"
    )
    #expect(again.exitCode == 6)
    #expect(again.errors.hasPrefix("error: tiny@1.0.0 is withdrawn: wrong tokenizer\n"))
    let back = try await publish("repo", "add", "public", path, "--key", "keys/owner.key")
    #expect(back.exitCode == 6)
  }

  @Test func `what lacks signatures is refused, or waits until others have signed`() async throws {
    let owner = try await RepositoryBench.make()
    for name in ["a", "b", "c"] { try RepositoryBench.key(name) }
    let split = [
      "rotate", "public", "root", "--add", "keys/a.pub", "--add", "keys/b.pub", "--add",
      "keys/c.pub",
      "--remove", "keys/owner.pub", "--threshold", "2",
    ]
    let before = try RepositoryBench.served()
    let refused = try await publish(
      ["repo"] + split + ["--key", "keys/owner.key", "--key", "keys/a.key"]
    )
    #expect(refused.exitCode == 6)
    #expect(refused.errors.contains("root: 1 of 2 signatures"))
    #expect(try RepositoryBench.served() == before)
    let staged = try await publish(
      ["repo"] + split + ["--key", "keys/owner.key", "--key", "keys/a.key", "--stage"]
    )
    #expect(staged.exitCode == 0)
    #expect(staged.errors.contains("nothing is published yet; the change waits for signatures:"))
    #expect(try RepositoryBench.served() == before)
    let path = try RepositoryBench.manifest("tiny", "1.0.0", by: owner)
    let other = try await publish("repo", "add", "public", path, "--key", "keys/owner.key")
    #expect(other.exitCode == 7)
    let status = try await publish("repo", "status", "public")
    #expect(status.exitCode == 10 && status.output.contains("waits for signatures: root: 1 of 2"))
    let seen = try await publish("repo", "sign", "public")
    #expect(seen.exitCode == 10)
    #expect(seen.errors.contains("as its maker says: root: adds "))
    #expect(seen.errors.contains("+ roles.root.threshold: 2"))
    #expect(try RepositoryBench.served() == before)
    let done = try await RepositoryBench.repo(
      "sign",
      "public",
      "--key",
      "keys/b.key",
      "--key",
      "keys/owner.key"
    )
    let parts = done.errors.components(separatedBy: "published root 2")[0]
    for line in ["root needs 2 of 3", "+ roles.root.threshold: 2", "targets, ", "+ meta "] {
      #expect(parts.contains(line), "\(line): \(done.errors)")
    }
    #expect(done.errors.contains("published root 2, targets 2, snapshot 2, timestamp 2"))
    try await RepositoryBench.repo("verify", "public")
  }

  @Test func `a change that waits can be taken back`() async throws {
    _ = try await RepositoryBench.make()
    try RepositoryBench.key("a")
    let before = try RepositoryBench.served()
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "root",
      "--add",
      "keys/a.pub",
      "--threshold",
      "2",
      "--key",
      "keys/owner.key",
      "--stage"
    )
    try await RepositoryBench.repo("sign", "public", "--discard")
    #expect(try RepositoryBench.served() == before)
    let nothing = try await publish("repo", "sign", "public", "--discard")
    #expect(nothing.exitCode == 3)
  }

  @Test func `bytes go to a machine without network, and openssl's signature comes back`()
    async throws
  {
    _ = try await RepositoryBench.make()
    let offline = try RepositoryBench.key("offline")
    try await RepositoryBench.repo(
      "rotate",
      "public",
      "targets",
      "--add",
      "keys/offline.pub",
      "--remove",
      "keys/owner.pub",
      "--key",
      "keys/owner.key",
      "--stage"
    )
    let exported = try await RepositoryBench.repo(
      "sign",
      "public",
      "--export",
      "targets",
      "--output",
      "t.bytes"
    )
    #expect(exported.errors.contains("can sign: \(offline.fingerprint), keyid "))
    let keyID = try #require(
      exported.errors.split(separator: "\n").first {
        $0.contains("can sign: \(offline.fingerprint)")
      }?.split(separator: " ").last
    )
    var openssl = try #require(Tool.installed("openssl"))
    openssl.folder = TemporaryFolder.current
    let signed = try await openssl.run([
      "pkeyutl", "-sign", "-rawin", "-inkey", "keys/offline.key", "-in", "t.bytes", "-out", "t.sig",
    ])
    #expect(signed.exitCode == 0, "\(signed.errors)")
    let hex = try contents("t.sig").map { String(format: "%02x", $0) }.joined()
    try place(Array("{\"keyid\":\"\(keyID)\",\"sig\":\"\(hex)\"}\n".utf8), at: "t.json")
    let done = try await RepositoryBench.repo(
      "sign",
      "public",
      "--import",
      "t.json",
      "--key",
      "keys/owner.key"
    )
    #expect(done.errors.contains("t.json: targets is signed by \(offline.fingerprint)"))
    #expect(done.errors.contains("published root 2, targets 2, snapshot 2, timestamp 2"))
    try await RepositoryBench.repo("verify", "public")
  }

  @Test func `a stranger's key is refused, and changes nothing`() async throws {
    _ = try await RepositoryBench.make("--lifetime", "timestamp=7d")
    try RepositoryBench.key("stranger")
    let before = try RepositoryBench.served()
    let outcome = try await publish(
      "repo",
      "refresh",
      "public",
      "--key",
      "keys/owner.key",
      "--key",
      "keys/stranger.key"
    )
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.contains("has no say in this repository"))
    #expect(try RepositoryBench.served() == before)
  }

  @Test func `an edited or lost file of the tree is refused before anything is changed`()
    async throws
  {
    _ = try await RepositoryBench.make()
    var bytes = try contents("public/metadata/1.targets.json")
    bytes[bytes.count - 3] ^= 1
    try place(bytes, at: "public/metadata/1.targets.json")
    for words in [["verify", "public"], ["status", "public"]] {
      let outcome = try await publish(["repo"] + words)
      #expect(outcome.exitCode == 6, "\(words)")
      #expect(outcome.errors.contains("clients would refuse this repository"), "\(words)")
    }
    try FileManager.default.removeItem(
      atPath: TemporaryFolder.path("public/metadata/1.targets.json")
    )
    #expect(try await publish("repo", "status", "public").exitCode == 6)
    #expect(try await publish("repo", "status", "nowhere").exitCode == 3)
  }

  @Test func `verify finds a lost manifest, a wrong blob and a release whose key is withdrawn`()
    async throws
  {
    let owner = try await RepositoryBench.makeListed()
    let blob = try #require(try RepositoryBench.served().keys.first { $0.hasPrefix("blobs/") })
    var bytes = try contents("public/\(blob)")
    bytes[0] ^= 1
    try place(bytes, at: "public/\(blob)")
    #expect(try await publish("repo", "verify", "public").exitCode == 0)
    let full = try await publish("repo", "verify", "public", "--full")
    #expect(full.exitCode == 10)
    #expect(full.output.hasPrefix("tiny@1.0.0: the blob of config.json is not the file\n"))
    try await RepositoryBench.repo(
      "policy",
      "public",
      "--withdraw-key",
      owner.fingerprint.description,
      "--reason",
      "lost",
      "--refuse-listed",
      "--key",
      "keys/owner.key"
    )
    let found = try await publish("repo", "verify", "public")
    #expect(found.exitCode == 10)
    #expect(found.output.hasPrefix("the trust policy does not accept tiny@1.0.0: "))
  }

  @Test func `two publishers at once take turns, and both releases are there`() async throws {
    let owner = try await RepositoryBench.make()
    let paths = try (0..<4).map { try RepositoryBench.manifest("m\($0)", "1.0.0", by: owner) }
    let outcomes = try await withThrowingTaskGroup(of: ToolOutcome.self) { group in
      for path in paths {
        group.addTask {
          try await publish("repo", "add", "public", path, "--key", "keys/owner.key")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes { #expect(outcome.exitCode == 0, "\(outcome.errors)") }
    // Their files are nowhere, which is a finding for each.
    let verified = try await publish("repo", "verify", "public")
    #expect(verified.output.hasSuffix("4 releases, 0 blobs, 4 findings\n"))
  }

  @Test func `a policy that the root's keys have not signed is built on and signed by nobody`()
    async throws
  {
    let owner = try await RepositoryBench.make()
    let thief = try RepositoryBench.key("thief")
    let path = try RepositoryBench.manifest("tiny", "1.0.0", by: thief)
    try RepositoryBench.list(policyOf: thief, by: owner)
    let before = try RepositoryBench.served()
    for words in [
      ["add", "public", path], ["policy", "public", "--trust", "keys/owner.pub"],
      ["rotate", "public", "root", "--add", "keys/thief.pub"],
      ["rotate", "public", "all", "--add", "keys/thief.pub", "--compromised"],
    ] {
      let outcome = try await publish(["repo"] + words + ["--key", "keys/owner.key"])
      #expect(outcome.exitCode == 6, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("has 0 of 1 signatures by root keys"), "\(outcome.errors)")
    }
    #expect(try await publish("repo", "policy", "public").exitCode == 6)
    #expect(try await publish("repo", "verify", "public").exitCode == 10)
    #expect(try RepositoryBench.served() == before)
  }

  @Test(arguments: [
    (["init", "public"], "nobody is named to sign"),
    (["add", "public", "m.json", "--channel", "a", "--no-channel"], "exclude each other"),
    (["channel", "public", "tiny@1.0.0"], "no channel is named"),
    (["channel", "public", "tiny", "--add", "beta"], "has no version"),
    (["rotate", "public", "root"], "nothing is to change"),
    (["rotate", "public", "release", "--threshold", "1"], "is no role"),
    (["rotate", "public", "root", "--threshold", "0"], "is no threshold"),
    (["refresh", "public", "--lifetime", "bin=1d"], "is no role with its lifetime"),
    (["serve", "public", "--port", "0"], "is no port"),
    (["sign", "public", "--export", "root", "--discard"], "exclude each other"),
    (["withdraw", "public", "tiny@1.0.0"], "--reason is missing"),
    (["policy", "public", "--models", "tiny"], "go with --trust"),
  ])
  func `what makes no sense on the command line is refused`(words: [String], message: String)
    async throws
  {
    let outcome = try await publish(["repo"] + words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
