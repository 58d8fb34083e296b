import Digests
import Foundation
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// `trust check` explains which rule accepts or refuses a manifest; `trust show` tells one rule or key in full.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerTrustCheckTests {
  private let release = ConsumerRelease(files: ["weights.bin": .random(1000)])

  /// A client that demands two of three keys for `acme/*`: the client's own, `second` and `third`.
  private func prepared() async throws -> (ConsumerHome, [SimulatedSigner]) {
    let home = try ConsumerHome()
    let signers = [home.signer, try home.signer(named: "second"), try home.signer(named: "third")]
    let added = try await home.run(
      ["trust", "add"] + signers.map(home.keyFile(of:))
        + ["--models", "acme/*", "--threshold", "2"]
    )
    try #require(added.ending == .exited(0), "\(added.errors)")
    return (home, signers)
  }

  private func digest() throws -> String { try release.simulated().digest().hex }

  @Test func `two of three are accepted by the rule, and each key is told`() async throws {
    let (home, signers) = try await prepared()
    let stranger = try SimulatedSigner("stranger")
    let manifest = try home.publish(release, signedBy: [signers[0], signers[2], stranger])
    let outcome = try await home.run(["trust", "check", manifest])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "acme/tiny 1.0.0: accepted by the rule acme/*: signatures of 2 of 3 keys count, 2 needed"
    )
    #expect(
      Set(lines.dropFirst()) == [
        "  \(signers[0].fingerprint)  release: signed, counts",
        "  \(signers[2].fingerprint)  third: signed, counts",
        "  \(signers[1].fingerprint)  second: did not sign",
        "  a signature named \"\(stranger.fingerprint)\" is by no key of the policy",
        "manifest SHA-256 \(try digest())",
      ]
    )
    let json = try await home.run(["trust", "check", manifest, "--json"])
    let summary = try json.summary()
    #expect(summary["accepted"] == true)
    #expect(summary["counted"] == 2)
    #expect(summary["manifestSha256"] == .string(try digest()))
    #expect(summary["unproven"] == [.string(stranger.fingerprint.description)])
    let events = try json.events().filter { $0["event"] == "signer" }
    #expect(events.map { $0["counts"] }.filter { $0 == true }.count == 2)
    #expect(events.last?["signed"] == false)
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test func `one of three is refused with 6, and the rule is named`() async throws {
    let (home, signers) = try await prepared()
    let outcome = try await home.run([
      "trust", "check", try home.publish(release, signedBy: [signers[1]]),
    ])
    #expect(outcome.ending == .exited(6))
    #expect(
      outcome.output.hasPrefix(
        "acme/tiny 1.0.0: refused by the rule acme/*: signatures of 1 of 3 keys count, 2 needed\n"
      )
    )
    #expect(outcome.errorLines.first == "error: 1 of 3 keys signed this manifest, 2 needed")
    #expect(outcome.errorLines.contains("  note: the rule is acme/*: 2 of 3"), "\(outcome.errors)")
  }

  @Test func `one key under two names, in the envelope and in the policy, counts once`()
    async throws
  {
    let (home, signers) = try await prepared()
    let envelope = try release.simulated().envelope(signedBy: [signers[0]])
    let signature = envelope.signatures[0].bytes
    let names = [signers[0].fingerprint.description, signers[1].fingerprint.description, "", "x"]
    let forged = JSONWriter.compact([
      "payload": .string(Base64.encode(envelope.payload)),
      "payloadType": .string(envelope.payloadType),
      "signatures": .array(
        names.map { ["keyid": .string($0), "sig": .string(Base64.encode(signature))] }
      ),
    ])
    let manifest = try home.write(forged, to: "forged.json")
    try await home.run(["install", manifest]).expectRefusal(
      6,
      "1 of 3 keys signed this manifest, 2 needed",
      note: "the rule is acme/*: 2 of 3"
    )
    #expect(try await home.run(["trust", "check", manifest]).ending == .exited(6))
    // The same key from a second file under another name is no second key.
    let copy = try home.write(
      Array(signers[0].publicKey.pem(name: "other").utf8),
      to: "other.pub"
    )
    try await home.run([
      "trust", "add", home.keyFile, copy, signers[0].publicKey.shortForm, "--models", "acme/*",
      "--threshold", "2",
    ]).expectRefusal(2, "2 signatures are needed, but there are only 1 different keys")
  }

  @Test func `a withdrawn signer is refused with the reason, alone and below the threshold`()
    async throws
  {
    let (home, signers) = try await prepared()
    let withdrawn = try await home.run([
      "trust", "withdraw", "\(signers[1].fingerprint)", "--reason", "laptop stolen",
    ])
    #expect(withdrawn.ending == .exited(0), "\(withdrawn.errors)")
    let two = try home.publish(release, as: "two.json", signedBy: [signers[0], signers[1]])
    let refusal = try await home.run(["install", two])
    refusal.expectRefusal(
      6,
      "1 of 3 keys signed this manifest, 2 needed",
      note: "second \(signers[1].fingerprint) signed too, but is withdrawn: laptop stolen"
    )
    #expect(refusal.errorLines.contains("  note: the rule is acme/*: 2 of 3"))
    let alone = try home.publish(release, as: "alone.json", signedBy: [signers[1]])
    let unread = try await home.run(["trust", "check", alone])
    #expect(unread.ending == .exited(6))
    #expect(
      unread.output == """
        the manifest, which was not read: refused, no rule was asked
          \(signers[1].fingerprint)  second: signed, is withdrawn: laptop stolen
        manifest SHA-256 \(try digest())

        """
    )
    #expect(
      unread.errors == """
        error: no key that signed the manifest may sign one now
          note: second \(signers[1].fingerprint) signed, but is withdrawn: laptop stolen
          note: the rule acme/*: 2 of 3 names such a key
          help: ask the publisher for a manifest that a current key has signed

        """
    )
    let enough = try home.publish(release, as: "all.json", signedBy: signers)
    #expect(try await home.run(["trust", "check", enough]).ending == .exited(0))
  }

  @Test func `a key that has ended is refused with its end and its rule`() async throws {
    let home = try ConsumerHome()
    let end = "2026-01-01T00:00:00Z"
    let add = [
      "trust", "add", home.keyFile, "--models", "acme/*", "--not-after", end,
    ]
    let added = try await home.run(add)
    #expect(added.ending == .exited(0))
    #expect(
      added.errors.contains(
        "warning: the rule acme/*: 1 of 1 accepts nothing: no key of it counts now"
      ),
      "\(added.errors)"
    )
    let outcome = try await home.run(["install", try home.publish(release)])
    outcome.expectRefusal(
      6,
      "no key that signed the manifest may sign one now",
      note: "release \(home.signer.fingerprint) signed, but is not accepted after \(end)"
    )
    #expect(outcome.errorLines.contains("  note: the rule acme/*: 1 of 1 names such a key"))
    let json = try await home.run(
      ["trust", "check", "./1.0.0.json", "--json"].map {
        $0.replacingOccurrences(of: "./1.0.0.json", with: "\(home.folder)/1.0.0.json")
      }
    )
    let signer = try #require(try json.events().first { $0["event"] == "signer" })
    #expect(signer["reason"] == "ended" && signer["counts"] == false)
    #expect(try json.summary()["refusal"] == "noCurrentSigner")
  }

  @Test func `an export-only key signs no manifest`() async throws {
    let home = try await ConsumerHome.trusting()
    let sums = try home.signer(named: "sums")
    let added = try await home.run(["trust", "add", home.keyFile(of: sums), "--export-only"])
    #expect(added.output == "export-only \(sums.fingerprint) (sums)\n", "\(added.errors)")
    let outcome = try await home.run(["install", try home.publish(release, signedBy: [sums])])
    outcome.expectRefusal(
      6,
      "no key that signed the manifest may sign one now",
      note: "sums \(sums.fingerprint) signed, but is export-only and signs no manifest"
    )
    try await home.run(["trust", "add", home.keyFile(of: sums), "--models", "acme/*"])
      .expectRefusal(
        2,
        "the key \(sums.fingerprint) cannot be export-only and sign manifests of acme/* too",
        help: "sealift trust remove \(sums.fingerprint)"
      )
    try await home.run(["trust", "add", home.keyFile, "--export-only"]).expectRefusal(
      2,
      "the key \(home.signer.fingerprint) cannot be export-only and sign manifests of acme/* too"
    )
    let list = try await home.run(["trust", "list"])
    #expect(list.output.hasSuffix("export-only \(sums.fingerprint)  sums\n"), "\(list.output)")
  }

  @Test func `a model without a rule and a stranger's manifest are explained`() async throws {
    let home = try await ConsumerHome.trusting("umbrella/*")
    let manifest = try home.publish(release)
    let outcome = try await home.run(["trust", "check", manifest])
    #expect(outcome.ending == .exited(6))
    #expect(
      outcome.output.hasPrefix("acme/tiny 1.0.0: refused, no rule is about this model\n"),
      "\(outcome.output)"
    )
    #expect(outcome.errorLines.first == "error: no trusted key may sign acme/tiny")
    let stranger = try SimulatedSigner("stranger")
    let other = try await home.run([
      "trust", "check", try home.publish(release, as: "s.json", signedBy: [stranger]),
    ])
    #expect(other.ending == .exited(6))
    #expect(
      other.output.hasPrefix("the manifest, which was not read: refused, no rule was asked\n")
    )
  }

  @Test func `a rule is shown in full, for its pattern and for a model`() async throws {
    let (home, signers) = try await prepared()
    _ = try await home.run([
      "trust", "withdraw", "\(signers[2].fingerprint)", "--reason", "lost",
    ])
    let byPattern = try await home.run(["trust", "show", "acme/*"])
    #expect(byPattern.ending == .exited(0), "\(byPattern.errors)")
    for line in [
      "rule       acme/*", "needs      2 of 3 keys", "counting   2 now: enough",
      "installed  no model", "key        \(signers[2].fingerprint)  third",
      "           \(signers[2].publicKey.shortForm)", "           is withdrawn: lost",
    ] { #expect(byPattern.output.contains("\(line)\n"), "\(byPattern.output)") }
    #expect(try await home.run(["trust", "show", "acme/tiny"]).output == byPattern.output)
    let summary = try await home.run(["trust", "show", "acme/tiny", "--json"]).summary()
    #expect(summary["counting"] == 2 && summary["threshold"] == 2)
    try await home.run(["trust", "show", "other"])
      .expectRefusal(3, "there is no rule for other", help: "sealift trust list")
  }

  @Test func `a key is shown in full`() async throws {
    let home = try ConsumerHome()
    let line = home.signer.publicKey.openSSHLine
    let added = try await home.run([
      "trust", "add", line, "--name", "ops", "--models", "acme/*", "--not-after",
      "2999-01-01T00:00:00Z",
    ])
    #expect(
      added.output == "trusted \(home.signer.fingerprint) (ops) for acme/*\n",
      "\(added.errors)"
    )
    let shown = try await home.run(["trust", "show", "\(home.signer.fingerprint)"])
    #expect(
      shown.output == """
        key        \(home.signer.fingerprint)
        name       ops
        public     \(home.signer.publicKey.shortForm)
        openssh    \(line)
        until      2999-01-01T00:00:00Z
        now        counts
        signs      acme/*: 1 of 1

        """,
      "\(shown.errors)"
    )
    let stranger = try SimulatedSigner("stranger").fingerprint
    try await home.run(["trust", "show", "\(stranger)"])
      .expectRefusal(3, "the key \(stranger) is not trusted")
  }
}
