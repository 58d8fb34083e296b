import Digests
import Manifests
import Signatures
import StrictJSON
import Testing

struct SignedReportTests {
  private static let report: JSONObject = [
    "schema": "sealift.audit/1", "tool": ["name": "sealift", "version": "0.1.0"],
    "host": ["name": "build-7", "id": "9f2c"], "subject": ["kind": "store", "path": "/store"],
    "mode": ["name": "full"], "policy": ["sha256": .string(String(repeating: "ab", count: 32))],
    "startedAt": "2026-11-30T18:40:11Z", "endedAt": "2026-11-30T18:40:15Z", "outcome": "findings",
    "counts": ["versions": 3, "findings": 2], "previousSha256": .null, "findings": [],
  ]

  private func envelope(_ report: JSONObject) throws -> Envelope {
    try Envelope(reportPayload: JSONWriter.canonical(.object(report)))
  }

  @Test func `a report says what was audited and what came out`() throws {
    let report = try envelope(Self.report).report()
    #expect((report.tool, report.toolVersion) == ("sealift", "0.1.0"))
    #expect(report.host == "build-7")
    #expect(report.hostID == "9f2c")
    #expect((report.subjectKind, report.subject, report.mode) == ("store", "/store", "full"))
    #expect(report.policy.hex == String(repeating: "ab", count: 32))
    #expect(report.startedAt.text == "2026-11-30T18:40:11Z")
    #expect(report.endedAt.text == "2026-11-30T18:40:15Z")
    #expect((report.outcome, report.versions, report.findings) == ("findings", 3, 2))
    #expect(report.previous == nil)
    #expect(report.resumedFrom == nil)
  }

  @Test func `a report of a part says where it began`() throws {
    var members = Self.report
    members["resumedFrom"] = "acme/tiny@1.0.0:0.1"
    #expect(try envelope(members).report().resumedFrom == "acme/tiny@1.0.0:0.1")
  }

  @Test func `a report names the one before it`() throws {
    var members = Self.report
    let digest = SHA256Digest(of: [1])
    members["previousSha256"] = .string(digest.hex)
    members["host"] = ["name": "build-7", "id": .null]
    let report = try envelope(members).report()
    #expect(report.previous == digest)
    #expect(report.hostID == nil)
  }

  @Test(arguments: [
    ("schema", JSONValue.string("sealift.audit/2")), ("previousSha256", JSONValue.string("abc")),
    ("endedAt", JSONValue.string("now")), ("tool", JSONValue.string("sealift")),
    ("resumedFrom", 7),
    ("counts", JSONValue.object(["versions": -1, "findings": 0])),
  ])
  func `what is no report is refused`(member: String, value: JSONValue) {
    var members = Self.report
    members[member] = value
    let error = #expect(throws: ManifestError.self) { try envelope(members) }
    guard case .report = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `neither counts a manifest as a report nor a report as a manifest`() throws {
    let payload = JSONWriter.canonical(.object(Self.report))
    #expect(
      throws: ManifestError.report(
        .unexpected(
          path: "payloadType",
          expected: SignedReport.payloadType,
          found: Envelope.statementType
        )
      )
    ) { try Envelope(payload: payload).report() }
    #expect(throws: ManifestError.self) { try envelope(Self.report).release() }
  }

  @Test func `a report that an envelope has no room for is refused before anybody signs it`() throws
  {
    var members = Self.report
    members["padding"] = .string(String(repeating: "x", count: 12_560_000))
    let error = #expect(throws: ManifestError.self) { try envelope(members) }
    #expect(error?.text.contains("the report is unusable") == true)
    members["padding"] = .string(String(repeating: "x", count: 12_500_000))
    let fitting = try envelope(members).encode()
    // Every signature that an envelope may carry takes less than this.
    #expect(fitting.count + Envelope.maximumSignatureCount * 512 <= Envelope.maximumSize)
  }

  @Test
  func `a signature is verified before it is taken, and one that says nothing of a report is none`()
    throws
  {
    let seed = [UInt8](repeating: 7, count: 32)
    let key = try SecretKey(seed: SecretBytes(copying: seed.span))
    let signed = try envelope(Self.report).signedReport(by: key)
    #expect(signed.signers(among: [key.publicKey]) == [key.publicKey])
    let other = Envelope(payloadType: Envelope.statementType, payload: signed.payload)
    #expect(throws: ManifestError.self) { try other.signedReport(by: key) }
  }
}
