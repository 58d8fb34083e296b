import Digests
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

struct ReportRuleTests {
  private let auditor: SimulatedSigner
  private let second: SimulatedSigner
  private let stranger: SimulatedSigner

  init() throws {
    auditor = try SimulatedSigner("auditor")
    second = try SimulatedSigner("second")
    stranger = try SimulatedSigner("stranger")
  }

  private func report(
    after previous: SHA256Digest? = nil,
    findings: Int64 = 0,
    by signers: [SimulatedSigner]
  ) throws -> Envelope {
    try Envelope(
      reportPayload: JSONWriter.canonical([
        "schema": "sealift.audit/1", "tool": ["name": "sealift", "version": "0.1.0"],
        "host": ["name": "build-7", "id": .null], "subject": ["kind": "store", "path": "/store"],
        "mode": ["name": "full"],
        "policy": ["sha256": .string(String(repeating: "ab", count: 32))],
        "startedAt": "2026-11-30T18:40:11Z", "endedAt": "2026-11-30T18:40:15Z",
        "outcome": "clean", "counts": ["versions": 3, "findings": .integer(findings)],
        "previousSha256": previous.map { .string($0.hex) } ?? .null,
      ])
    ).signed(by: signers)
  }

  private func rule(threshold: Int = 1) throws -> ReportRule {
    try ReportRule(keys: [auditor.trusted(), second.trusted()], threshold: threshold)
  }

  @Test func `a report counts when enough of the keys signed it`() throws {
    let envelope = try report(by: [stranger, auditor])
    let accepted = try rule().accept(envelope.encode(), after: nil)
    #expect(accepted.signers.map(\.name) == ["auditor"])
    #expect(accepted.digest == envelope.payloadDigest)
    #expect(
      throws: TrustError.tooFewReportSigners(
        counted: [auditor.fingerprint],
        threshold: 2,
        claimed: envelope.signatures.map(\.keyID)
      )
    ) { try rule(threshold: 2).accept(envelope.encode(), after: nil) }
    let both = try report(by: [auditor, second])
    #expect(try rule(threshold: 2).accept(both.encode(), after: nil).signers.count == 2)
  }

  @Test func `neither a stranger nor a changed report is accepted`() throws {
    for envelope in [try report(by: [stranger]), try report(by: [])] {
      let error = #expect(throws: TrustError.self) {
        try rule().accept(envelope.encode(), after: nil)
      }
      guard case .tooFewReportSigners(counted: [], threshold: 1, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    let signed = try report(findings: 5, by: [auditor])
    let other = try report(findings: 0, by: [])
    let forged = String(decoding: signed.encode(), as: UTF8.self)
      .replacingFirst(Base64.encode(signed.payload), with: Base64.encode(other.payload))
    #expect(throws: TrustError.self) { try rule().accept(Array(forged.utf8), after: nil) }
  }

  @Test func `a chain holds when each report names the one before it`() throws {
    let first = try report(by: [auditor])
    let next = try report(after: first.payloadDigest, by: [second])
    let accepted = try rule().accept(first.encode(), after: nil)
    #expect(try rule().accept(next.encode(), after: accepted).report.previous == accepted.digest)
    let left = try report(after: next.payloadDigest, by: [auditor])
    #expect(
      throws: TrustError.brokenChain(expected: accepted.digest, found: next.payloadDigest)
    ) { try rule().accept(left.encode(), after: accepted) }
    #expect(throws: TrustError.brokenChain(expected: accepted.digest, found: nil)) {
      try rule().accept(first.encode(), after: accepted)
    }
  }

  @Test func `a signed manifest is no report, and what is no envelope was signed by nobody`() throws
  {
    let manifest = try SimulatedRelease.tiny().manifest(signedBy: [auditor])
    let error = #expect(throws: TrustError.self) { try rule().accept(manifest, after: nil) }
    guard case .unusableReport = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let none = #expect(throws: TrustError.self) { try rule().accept(Array("{}".utf8), after: nil) }
    guard case .noReport = none else {
      Issue.record("\(String(describing: none))")
      return
    }
  }

  @Test func `keys are given once, and no more of them are demanded than there are`() {
    #expect(throws: TrustError.repeatedKey(auditor.fingerprint)) {
      try ReportRule(keys: [auditor.trusted(), auditor.trusted()], threshold: 1)
    }
    for threshold in [0, 2] {
      #expect(throws: TrustError.badThreshold(threshold, keys: 1)) {
        try ReportRule(keys: [auditor.trusted()], threshold: threshold)
      }
    }
  }
}

extension String {
  fileprivate func replacingFirst(_ text: String, with other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
  }
}
