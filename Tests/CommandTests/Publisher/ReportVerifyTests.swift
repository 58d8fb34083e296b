import CommandLineKit
import ConsumerCommands
import Digests
import Foundation
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// `report verify` in both tools.
@Suite(.temporaryFolder) struct ReportVerifyTests {
  private let auditor: SimulatedSigner

  init() throws { auditor = try SimulatedSigner("auditor") }

  /// Writes a signed report under a name, and returns the digest by which the next one names it.
  private func report(
    _ name: String,
    after previous: SHA256Digest? = nil,
    host: String = "build-7",
    by signers: [SimulatedSigner]? = nil
  ) throws -> SHA256Digest {
    let envelope = try Envelope(
      reportPayload: JSONWriter.canonical([
        "schema": "sealift.audit/1", "tool": ["name": "sealift", "version": "0.1.0"],
        "host": ["name": .string(host), "id": "9f2c"],
        "subject": ["kind": "store", "path": "/var/lib/sealift"], "mode": ["name": "full"],
        "policy": ["sha256": .string(String(repeating: "ab", count: 32))],
        "startedAt": "2026-11-30T18:40:11Z", "endedAt": "2026-11-30T18:40:15Z",
        "outcome": "findings", "counts": ["versions": 3, "findings": 2], "findings": [],
        "previousSha256": previous.map { .string($0.hex) } ?? .null,
      ])
    ).signed(by: signers ?? [auditor])
    try place(envelope.encode(), at: name)
    return envelope.payloadDigest
  }

  private func placeKey(_ signer: SimulatedSigner) throws -> String {
    try place(Array(signer.publicKey.pem(name: signer.name).utf8), at: "\(signer.name).pub")
    return "\(signer.name).pub"
  }

  @Test(arguments: ["sealift", "sealift-publish"])
  func `a report and the one that follows it are accepted, and told`(name: String) async throws {
    let first = try report("a.dsse")
    let second = try report("b.dsse", after: first)
    var tool = try Tool.built(name)
    tool.folder = TemporaryFolder.current
    let key = try placeKey(auditor)
    let outcome = try await tool.run(["report", "verify", "a.dsse", "b.dsse", "--key", key])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
        a.dsse: sha256:\(first)
          signed by \(auditor.fingerprint)  auditor.pub
          audit of the store /var/lib/sealift on build-7 (9f2c)
          full, from 2026-11-30T18:40:11Z to 2026-11-30T18:40:15Z, by sealift 0.1.0
          trust policy sha256:\(String(repeating: "ab", count: 32))
          3 versions, 2 findings: findings
          begins a chain: it follows no report
        b.dsse: sha256:\(second)
          signed by \(auditor.fingerprint)  auditor.pub
          audit of the store /var/lib/sealift on build-7 (9f2c)
          full, from 2026-11-30T18:40:11Z to 2026-11-30T18:40:15Z, by sealift 0.1.0
          trust policy sha256:\(String(repeating: "ab", count: 32))
          3 versions, 2 findings: findings
          follows the report sha256:\(first)
        2 reports, each names the one before it

        """
    )
    let json = try await tool.run(["--json", "report", "verify", "b.dsse", "--key", key])
    #expect(json.output.contains("\"previousSha256\":\"\(first.hex)\""))
    #expect(json.output.contains("\"reports\":1"))
  }

  @Test
  func `what is not as it was signed or not in order is refused with 6, what is no report with 9`()
    async throws
  {
    let first = try report("a.dsse")
    let second = try report("b.dsse", after: first)
    _ = try report("c.dsse", after: second)
    _ = try report("strange.dsse", by: [SimulatedSigner("stranger")])
    try place(Array("{}".utf8), at: "junk.dsse")
    try place(SimulatedRelease.tiny().manifest(signedBy: [auditor]), at: "m.json")
    let key = try placeKey(auditor)
    let cases: [([String], Int, String)] = [
      (["a.dsse", "c.dsse"], 6, "c.dsse: the report does not follow the one before it"),
      (["b.dsse", "a.dsse"], 6, "a.dsse: the report does not follow the one before it"),
      (["strange.dsse"], 6, "strange.dsse: none of the keys has signed this report"),
      (["junk.dsse"], 6, "junk.dsse: this is no signed report"),
      (["m.json"], 9, "m.json: the report is unusable: payloadType must be"),
      (["missing.dsse"], 3, "there is no report missing.dsse"),
    ]
    for (paths, code, message) in cases {
      let outcome = try await publish(["report", "verify"] + paths + ["--key", key])
      #expect(outcome.exitCode == code, "\(paths)")
      #expect(outcome.errors.contains("error: \(message)"), "\(outcome.errors)")
    }
  }

  @Test func `what a report says of itself cannot move the cursor`() async throws {
    _ = try report("a.dsse", host: "\u{1B}[2J\u{202E}host")
    let outcome = try await publish("report", "verify", "a.dsse", "--key", try placeKey(auditor))
    #expect(outcome.output.contains("on \\u{1b}[2J\\u{202e}host (9f2c)"))
  }

  @Test func `as many keys as are needed must have signed`() async throws {
    let second = try SimulatedSigner("second")
    _ = try report("a.dsse", by: [auditor])
    let keys = ["--key", try placeKey(auditor), "--key", try placeKey(second)]
    let one = try await publish(["report", "verify", "a.dsse"] + keys)
    #expect(one.exitCode == 0)
    let two = try await publish(["report", "verify", "a.dsse", "--threshold", "2"] + keys)
    #expect(two.exitCode == 6)
    #expect(two.errors.contains("1 of the keys signed this report, 2 needed"))
    #expect(two.errors.contains("signed by \(auditor.fingerprint)"))
  }
}
