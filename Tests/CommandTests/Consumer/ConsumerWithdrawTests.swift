import Digests
import Foundation
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// Keys and manifests are withdrawn with a reason, and active versions that lose their signers are named and stay.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerWithdrawTests {
  private let release = ConsumerRelease(files: ["weights.bin": .random(1000)])

  private func digest() throws -> String { try release.simulated().digest().hex }

  private func expectStillActive(_ home: ConsumerHome) async throws {
    #expect(try home.oracle().active()?.version == "1.0.0")
    #expect(try await home.run(["path", "acme/tiny"]).ending == .exited(0))
  }

  @Test func `a withdrawn key counts no more, its active version is named and stays`() async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let key = "\(home.signer.fingerprint)"
    let outcome = try await home.run(["trust", "withdraw", key, "--reason", "stolen"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output == "withdrawn: the key \(key): stolen\n")
    #expect(
      outcome.errors == """
        warning: the rule acme/*: 1 of 1 accepts nothing: no key of it counts now
          help: sealift trust add replaces the rule; sealift trust show 'acme/*' says more
        warning: acme/tiny 1.0.0 is active, and its manifest is no longer accepted
          note: no key that signed the manifest may sign one now
          note: release \(key) signed, but is withdrawn: stolen
          note: the rule acme/*: 1 of 1 names such a key
          note: it stays installed and active
          help: install another version
          help: sealift remove acme/tiny takes it away

        """
    )
    try await expectStillActive(home)
    let list = try await home.run(["trust", "list"])
    #expect(list.output.contains("  \(key)  release, withdrawn: stolen\n"))
    #expect(list.output.hasSuffix("withdrawn key \(key): stolen\n"))
    try await home.run(["trust", "add", home.keyFile, "--models", "other"]).expectRefusal(
      6,
      "the key \(key) is withdrawn: stolen",
      help: "sealift trust withdraw \(key) --undo"
    )
    let undone = try await home.run(["trust", "withdraw", key, "--undo"])
    #expect(undone.output == "no longer withdrawn: the key \(key)\n")
    #expect(undone.errors.isEmpty)
    #expect(
      try await home.run(["trust", "check", "\(home.folder)/1.0.0.json"]).ending == .exited(0)
    )
    try await home.run(["trust", "withdraw", key, "--undo"]).expectRefusal(
      3,
      "the key \(key) is not withdrawn",
      help: "sealift trust list"
    )
  }

  enum Form: CaseIterable { case digest, file, version }

  @Test(arguments: Form.allCases)
  func
    `a manifest is withdrawn by digest, file or installed version, and refused in every wrapping`(
      form: Form
    ) async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let subject =
      switch form {
      case .digest: try digest()
      case .file: "\(home.folder)/1.0.0.json"
      case .version: "acme/tiny@1.0.0"
      }
    let outcome = try await home.run([
      "trust", "withdraw", subject, "--reason", "wrong tokenizer", "--json",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let summary = try outcome.summary()
    #expect(summary["manifestSha256"] == .string(try digest()))
    #expect(summary["noLongerAccepted"] == [["model": "acme/tiny", "version": "1.0.0"]])
    try await expectStillActive(home)
    let second = try home.signer(named: "second")
    let added = try await home.run([
      "trust", "add", home.keyFile, home.keyFile(of: second), "--models", "acme/*",
    ])
    #expect(added.ending == .exited(0))
    let wrapped = try home.publish(release, as: "again.json", signedBy: [second, home.signer])
    for command in [["install", wrapped], ["verify", home.store, "--manifest", wrapped]] {
      try await home.run(command).expectRefusal(
        6,
        "the release is withdrawn: wrong tokenizer",
        note: "its manifest has SHA-256 \(try digest())"
      )
    }
    #expect(try await home.run(["trust", "withdraw", subject, "--undo"]).ending == .exited(0))
    #expect(try await home.run(["trust", "check", wrapped]).ending == .exited(0))
  }

  @Test func `without a store no version is said to be lost`() async throws {
    let home = try await ConsumerHome.trusting()
    let removed = try await home.run(["trust", "remove", "acme/*", "--json"])
    #expect(removed.ending == .exited(0), "\(removed.errors)")
    #expect(try removed.summary()["noLongerAccepted"] == [])
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test func `removing a rule names what it leaves active without a signer`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let removed = try await home.run(["trust", "remove", "acme/*"])
    #expect(removed.ending == .exited(0))
    #expect(
      removed.errors.contains(
        "warning: acme/tiny 1.0.0 is active, and its manifest is no longer accepted\n"
          + "  note: no trusted key has signed the manifest\n"
      ),
      "\(removed.errors)"
    )
    try await expectStillActive(home)
    // What was not accepted before is no news.
    _ = try await home.run(["trust", "add", home.keyFile, "--models", "other"])
    let again = try await home.run(["trust", "remove", "other", "--json"])
    #expect(try again.summary()["noLongerAccepted"] == [])
    #expect(!again.errors.contains("acme/tiny"), "\(again.errors)")
  }

  @Test func `replacing a rule by another key names what it leaves active`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let other = try home.signer(named: "other")
    let added = try await home.run(["trust", "add", home.keyFile(of: other), "--models", "acme/*"])
    #expect(
      added.errors.contains("warning: acme/tiny 1.0.0 is active, and its manifest is no longer"),
      "\(added.errors)"
    )
  }

  @Test func `an end that has passed changes nothing for what was accepted before`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    // The version was accepted just now, so only an end before that takes it away.
    let later = try await home.run([
      "trust", "add", home.keyFile, "--models", "acme/*", "--not-after", "2999-01-01T00:00:00Z",
    ])
    #expect(!later.errors.contains("no longer accepted"), "\(later.errors)")
    let past = try await home.run([
      "trust", "add", home.keyFile, "--models", "acme/*", "--not-after", "2020-01-01T00:00:00Z",
    ])
    #expect(past.errors.contains("its manifest is no longer accepted"), "\(past.errors)")
  }

  @Test func `a damaged store is told, and the change stands`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let version = try #require(home.oracle().names(in: "versions").first)
    let folder = "\(home.oracle().folder)/versions/\(version)"
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try FileManager.default.removeItem(atPath: "\(folder)/manifest.json")
    for name in home.oracle().names(in: "manifests") {
      try FileManager.default.removeItem(atPath: "\(home.oracle().folder)/manifests/\(name)")
    }
    let outcome = try await home.run(["trust", "remove", "acme/*"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "warning: nobody knows whether the active version of acme/tiny would be accepted now\n"
      ),
      "\(outcome.errors)"
    )
    #expect(try await home.run(["trust", "list"]).output.isEmpty)
  }

  @Test(arguments: [
    ["trust", "withdraw", "acme/tiny@1.0.0"], ["trust", "withdraw", "acme/tiny", "--reason", "x"],
    ["trust", "withdraw", "acme/tiny@1.0.0", "--reason", "x", "--undo"],
    ["trust", "withdraw", "https://a.example/m.json", "--reason", "x"],
    ["trust", "add", "a.pub", "--export-only", "--models", "x"],
    ["trust", "add", "a.pub", "--export-only", "--threshold", "1"], ["trust", "add", "a.pub"],
    ["trust", "add", "a.pub", "b.pub", "--name", "x", "--models", "x"],
  ])
  func `what makes no sense is refused before anything is read`(arguments: [String]) async throws {
    let home = try ConsumerHome()
    let outcome = try await home.run(arguments)
    #expect(outcome.ending == .exited(2), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.configuration))
  }

  @Test func `a version that is not installed cannot be named`() async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await home.run(["trust", "withdraw", "acme/tiny@1.0.0", "--reason", "x"])
    #expect(outcome.ending == .exited(3), "\(outcome.errors)")
  }
}
