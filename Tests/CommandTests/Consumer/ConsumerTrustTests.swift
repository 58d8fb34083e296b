import Foundation
import StrictJSON
import ReleaseSimulator
import TestSupport
import Testing

/// The commands that change what is trusted.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerTrustTests {
  @Test func `a private key is not taken for its public half, and the file is named`() async throws
  {
    let home = try ConsumerHome()
    let text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    let path = try home.write(Array(text.utf8), to: "release.key")
    try await home.run(["trust", "add", path, "--models", "*"]).expectRefusal(
      2,
      "\(path): expected a PEM block PUBLIC KEY, found PRIVATE KEY",
      help: "name the public half, a file that often ends in .pub"
    )
  }

  @Test func `a key is added, listed with its name and fingerprint, and removed`() async throws {
    let home = try ConsumerHome()
    let key = home.signer.fingerprint
    let added = try await home.run([
      "trust", "add", home.keyFile, "--models", "acme/*",
    ])
    #expect(added.output == "trusted \(key) (release) for acme/*\n", "\(added.errors)")
    let list = try await home.run(["trust", "list"])
    #expect(list.output == "acme/*: 1 of 1\n  \(key)  release\n")
    let removed = try await home.run(["trust", "remove", "acme/*"])
    #expect(removed.output == "no longer trusted: acme/*\n", "\(removed.errors)")
    let empty = try await home.run(["trust", "list"])
    #expect(empty.output.isEmpty)
    #expect(empty.errors.hasPrefix("nothing is trusted: \(home.configuration)/trust.json"))
  }

  @Test func `replacing a rule is said, and so is what applies after a removal`() async throws {
    let home = try await ConsumerHome.trusting("*/*")
    let add = ["trust", "add", home.keyFile, "--models", "acme/*"]
    #expect(try await home.run(add).errors.isEmpty)
    let again = try await home.run(add)
    #expect(again.errors == "this replaces the rule acme/*: 1 of 1\n")
    #expect(try await home.run(add + ["--json"]).summary()["replaced"] == true)
    let removed = try await home.run(["trust", "remove", "acme/*"])
    #expect(removed.errors == "the rule that applies to acme/* now is */*: 1 of 1\n")
    let last = try await home.run(["trust", "remove", "*/*"])
    #expect(last.errors == "no rule covers all of */* now\n")
  }

  @Test func `a key is removed from all rules by its fingerprint`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(["trust", "remove", "\(home.signer.fingerprint)"])
    #expect(
      outcome.output == "no longer trusted: \(home.signer.fingerprint)\n",
      "\(outcome.errors)"
    )
    let manifest = try home.publish(ConsumerRelease(files: ["a.bin": .random(10)]))
    #expect(try await home.run(["install", manifest]).ending == .exited(6))
  }

  @Test func `what is not there cannot be removed`() async throws {
    let home = try await ConsumerHome.trusting()
    let stranger = try home.signer(named: "stranger")
    try await home.run(["trust", "remove", "other/*"])
      .expectRefusal(3, "there is no rule for other/*", help: "sealift trust list shows the rules")
    try await home.run(["trust", "remove", "\(stranger.fingerprint)"]).expectRefusal(
      3,
      "the key \(stranger.fingerprint) is not trusted",
      help: "sealift trust list shows the keys"
    )
  }

  @Test func `more signatures than keys cannot be asked for`() async throws {
    let home = try ConsumerHome()
    try await home.run([
      "trust", "add", home.keyFile, home.keyFile,
      "--models", "acme/*", "--threshold", "2",
    ]).expectRefusal(2, "2 signatures are needed, but there are only 1 different keys")
    #expect(!FileManager.default.fileExists(atPath: "\(home.configuration)/trust.json"))
  }

  @Test func `a private key and a file that is no key are refused`() async throws {
    let home = try ConsumerHome()
    let text = try home.write(Array("not a key\n".utf8), to: "text.pub")
    let outcome = try await home.run(["trust", "add", text, "--models", "acme/*"])
    #expect(outcome.ending == .exited(2), "\(outcome.errors)")
    #expect(outcome.errorLines.count >= 1)
    #expect(!FileManager.default.fileExists(atPath: "\(home.configuration)/trust.json"))
  }

  @Test func `the most specific rule alone decides`() async throws {
    let home = try await ConsumerHome.trusting("acme/*")
    let special = try home.signer(named: "special")
    let added = try await home.run([
      "trust", "add", home.keyFile(of: special), "--models", "acme/tiny",
    ])
    #expect(added.ending == .exited(0))
    let release = ConsumerRelease(files: ["a.bin": .random(1000)])
    let mirror = try home.fileMirror(release)
    let general = try home.publish(release, as: "general.json")
    #expect(try await home.run(["install", general, "--mirror", mirror]).ending == .exited(6))
    let right = try home.publish(release, as: "special.json", signedBy: [special])
    #expect(try await home.run(["install", right, "--mirror", mirror]).ending == .exited(0))
  }

  @Test func `a damaged policy trusts nobody and is not overwritten`() async throws {
    let home = try await ConsumerHome.trusting()
    let policy = try home.write(Array("{\"keys\":".utf8), to: "config/trust.json")
    let manifest = try home.publish(ConsumerRelease(files: ["a.bin": .random(10)]))
    for arguments in [
      ["install", manifest], ["trust", "list"],
      ["trust", "add", home.keyFile, "--models", "*"],
    ] {
      let outcome = try await home.run(arguments)
      #expect(outcome.ending == .exited(2), "\(outcome.errors)")
      #expect(
        outcome.errors.hasPrefix("error: \(policy): the configuration is not JSON"),
        "\(outcome.errors)"
      )
    }
    #expect(try String(contentsOfFile: policy, encoding: .utf8) == "{\"keys\":")
  }

  @Test func `only this user reads the policy`() async throws {
    let home = try await ConsumerHome.trusting()
    let path = "\(home.configuration)/trust.json"
    let facts = try FileManager.default.attributesOfItem(atPath: path)
    #expect(facts[.posixPermissions] as? Int == 0o600)
  }
}

extension ConsumerTrustTests {
  @Test func `what a killed change of the policy left is gone with the next one`() async throws {
    let home = try await ConsumerHome.trusting()
    let left = "config/trust.json.0123456789abcdef0123456789abcdef"
    _ = try home.write(Array("torn".utf8), to: left)
    let mine = try home.write(Array("mine".utf8), to: "config/trust.json.old")
    #expect(try await home.run(["trust", "add", home.keyFile, "--models", "b/*"]).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(home.folder)/\(left)"))
    #expect(FileManager.default.fileExists(atPath: mine))
  }
}
