package import Digests
package import Signatures
import StrictJSON

/// The report of an audit as it is signed: who audited what and when, what came out, and which report it follows.
///
/// It is the payload of an envelope with a type of its own, so that no signature under a report counts for a manifest, nor
/// one under a manifest for a report. What a person has to see before believing it is read here; the findings themselves
/// stay in the payload.
package struct SignedReport: Equatable, Sendable {
  /// The type of the payload.
  package static let payloadType = "application/vnd.sealift.audit-report+json"
  /// The form of the report; another number says that a member has changed its meaning.
  package static let schema = "sealift.audit/1"
  /// The member that names the report before this one.
  package static let previousMember = "previousSha256"

  /// The program that made it, and its version.
  package let tool: String
  package let toolVersion: String
  package let host: String
  /// The number that stands for the machine; nil where there is none.
  package let hostID: String?
  /// Whether a store or a folder was audited, and where it lies.
  package let subjectKind: String
  package let subject: String
  package let mode: String
  /// Where the audit went on from an earlier one, whose part it did not look at again; nil for one from the start.
  package let resumedFrom: String?
  package let policy: SHA256Digest
  package let startedAt: Timestamp
  package let endedAt: Timestamp
  package let outcome: String
  package let versions: Int
  package let findings: Int
  /// The digest of the payload of the report before this one; nil for the first.
  package let previous: SHA256Digest?

  /// Reads a payload.
  init(payload: [UInt8], limit: Int = Envelope.maximumSize) throws(DocumentProblem) {
    let value: JSONValue
    do {
      value = try JSONReader.parse(payload, limits: JSONLimits(bytes: limit))
    } catch {
      throw .syntax(error)
    }
    let report = try JSONMembers<DocumentProblem>(document: value)
    try report.node("schema").expect(Self.schema)
    let tool = try report.object("tool")
    (self.tool, toolVersion) = (try tool.string("name"), try tool.string("version"))
    let host = try report.object("host")
    (self.host, hostID) = (try host.string("name"), try host.node("id").optionalText())
    let subject = try report.object("subject")
    (subjectKind, self.subject) = (try subject.string("kind"), try subject.string("path"))
    mode = try report.object("mode").string("name")
    resumedFrom = try report.optionalString("resumedFrom")
    policy = try report.object("policy").node("sha256").sha256()
    startedAt = try report.node("startedAt").text { text throws(ManifestError) in
      try Timestamp(text)
    }
    endedAt = try report.node("endedAt").text { text throws(ManifestError) in try Timestamp(text) }
    outcome = try report.string("outcome")
    let counts = try report.object("counts")
    (versions, findings) = (try counts.integer("versions"), try counts.integer("findings"))
    let previous = try report.node(Self.previousMember)
    self.previous = previous.value == .null ? nil : try previous.sha256()
  }
}

extension JSONNode where Failure == DocumentProblem {
  fileprivate func optionalText() throws(DocumentProblem) -> String? {
    value == .null ? nil : try string()
  }
}

extension Envelope {
  /// Wraps the report of an audit; throws `report` for what a reader would refuse, such as one that is too long.
  package init(reportPayload payload: [UInt8]) throws(ManifestError) {
    self.init(payloadType: SignedReport.payloadType, payload: payload)
    // Room for base64 and for as many signatures as an envelope may carry.
    let room = Self.maximumSignatureCount * 512
    do throws(DocumentProblem) {
      _ = try SignedReport(payload: payload, limit: (Self.maximumSize - room) / 4 * 3)
    } catch {
      throw .report(error)
    }
  }

  /// Reads the report in the payload; throws `report` for another type or another form.
  ///
  /// Signatures are not looked at: who acts on the result has asked `signers(among:)` of this same value before.
  package func report() throws(ManifestError) -> SignedReport {
    do throws(DocumentProblem) {
      guard payloadType.utf8.elementsEqual(SignedReport.payloadType.utf8) else {
        throw .unexpected(
          path: "payloadType",
          expected: SignedReport.payloadType,
          found: payloadType
        )
      }
      return try SignedReport(payload: payload)
    } catch {
      throw .report(error)
    }
  }

  /// Returns the report's envelope with a signature by `signer`, which is verified before it is taken.
  ///
  /// - Throws: `ManifestError`, also for a payload that is no report; `KeyError`; and what the signer throws.
  package func signedReport(by signer: borrowing some Signer & ~Copyable) throws -> Envelope {
    _ = try report()
    return try adding(signer.verifiedSignature(of: signedBytes), by: signer.publicKey)
  }
}
