import Digests
import Manifests
package import StrictJSON

/// An audit as JSON: one document, or one object for each line.
///
/// `docs/schemas/audit-report.schema.json` describes the document.
package struct AuditDocument {
  /// The form of the document; another number says that a member has changed its meaning.
  package static let schema = SignedReport.schema

  /// An object of the form with one a line, and its name.
  package struct Line: Equatable, Sendable {
    package let event: String
    package let members: [(name: String, value: JSONValue)]

    package static func == (one: Line, other: Line) -> Bool {
      one.event == other.event && one.object == other.object
    }

    /// The members as an object.
    package var object: JSONValue { .object(JSONObject(uniqueMembers: members)) }
  }

  private let report: AuditReport

  package init(_ report: AuditReport) { self.report = report }

  /// The whole report as one value.
  package var value: JSONValue {
    var object: JSONObject = ["schema": .string(Self.schema)]
    for (name, value) in head + tail { object[name] = value }
    object["models"] = .array(report.models.map { Self.value(of: $0) })
    object["findings"] = findings
    return .object(object)
  }

  /// All findings, in the order of the report.
  package var findings: JSONValue { .array(report.findings.map(\.value)) }

  /// The report as objects that stand for themselves: `audit`, then models, versions, files and findings in the order
  /// of the report, at last `summary`.
  package var lines: [Line] {
    var lines = [Line(event: "audit", members: [("schema", .string(Self.schema))] + head)]
    var findings = report.findings[...]
    func takeFindings(_ count: Int) {
      lines += findings.prefix(count).map { Line(event: "finding", members: $0.members) }
      findings = findings.dropFirst(count)
    }
    for model in report.models {
      lines.append(Line(event: "model", members: Self.members(of: model)))
      takeFindings(model.findings.count)
      for version in model.versions {
        let place = [("model", JSONValue.string(model.name.text))]
        lines.append(Line(event: "version", members: place + Self.members(of: version)))
        takeFindings(version.findings.count)
        for file in version.files {
          let place = place + [("version", JSONValue.string(version.version.text))]
          lines.append(Line(event: "file", members: place + Self.members(of: file)))
          takeFindings(file.findings.count)
        }
      }
    }
    lines.append(Line(event: "summary", members: tail))
    return lines
  }

  // MARK: What is said once

  private typealias Members = [(name: String, value: JSONValue)]

  private var head: Members {
    var members: Members = [
      ("tool", ["name": .string(report.tool.name), "version": .string(report.tool.version)]),
      (
        "host",
        Self.object([("name", .string(report.host.name)), ("id", Self.text(report.host.id))])
      ),
      ("subject", subject),
      ("mode", mode),
      ("policy", policy),
      ("startedAt", .string(report.startedAt.text)),
    ]
    if let cursor = report.resumedFrom { members.append(("resumedFrom", .string(cursor.text))) }
    return members
  }

  private var tail: Members {
    let counts = report.counts
    var members: Members = [
      ("endedAt", .string(report.endedAt.text)),
      ("milliseconds", Self.number(report.milliseconds)),
      ("bytesHashed", Self.number(report.bytesHashed)),
      ("outcome", .string(report.outcome.rawValue)),
      ("checked", Self.number(counts.models)),
      ("counts", counts.value),
      ("ignored", .array(report.ignored.map(Self.value))),
    ]
    if let unfinished = report.unfinished { members.append(("unfinished", unfinished.value)) }
    return members
  }

  private var subject: JSONValue {
    switch report.subject {
    case .store(let path): ["kind": "store", "path": .string(path)]
    case .folder(let path, let manifest):
      ["kind": "folder", "path": .string(path), "manifest": .string(manifest)]
    }
  }

  private var mode: JSONValue {
    var members: Members = [("name", .string(report.mode.word))]
    if case .sample(let sample) = report.mode {
      members.append(("amount", .string(sample.amount.text)))
      members.append(("seed", .string("\(sample.seed)")))
    }
    return Self.object(members + [("proves", .string(report.proof))])
  }

  private var policy: JSONValue {
    let policy = report.policy
    return Self.object([
      ("path", .string(policy.path)),
      ("sha256", .string(policy.digest.hex)),
      ("keys", Self.number(policy.keyCount)),
      ("rules", Self.number(policy.ruleCount)),
      ("judgedAt", .string(policy.judgedAt.text)),
      ("manifests", Self.text(policy.manifests)),
    ])
  }

  private static func value(_ ignored: AuditReport.Ignored) -> JSONValue {
    object([
      ("pattern", .string(ignored.pattern)), ("until", text(ignored.until?.text)),
      ("hasEnded", .boolean(ignored.hasEnded)), ("findings", number(ignored.count)),
    ])
  }

  // MARK: Models, versions and files

  private static func value(of model: AuditedModel) -> JSONValue {
    object(
      members(of: model) + [
        (
          "versions",
          .array(
            model.versions.map { version in
              object(
                members(of: version) + [
                  ("files", .array(version.files.map { object(members(of: $0)) }))
                ]
              )
            }
          )
        )
      ]
    )
  }

  private static func members(of model: AuditedModel) -> Members {
    [("model", .string(model.name.text)), ("generation", model.generation.map(number) ?? .null)]
  }

  private static func members(of version: AuditedVersion) -> Members {
    [
      ("version", .string(version.version.text)),
      ("folder", text(version.folder)),
      ("role", .string(version.role.rawValue)),
      ("manifestSha256", text(version.manifest?.hex)),
      ("isTrusted", .boolean(version.isTrusted)),
      (
        "signers",
        .array(
          version.signers.map { signer in
            [
              "fingerprint": .string(signer.fingerprint), "name": .string(signer.name),
              "counts": .boolean(signer.counts),
            ]
          }
        )
      ),
      ("released", text(version.released?.text)),
      ("acceptedAt", text(version.acceptedAt?.text)),
    ]
  }

  private static func members(of file: AuditedFile) -> Members {
    var members: Members = [
      ("file", .string(file.path)),
      ("verdict", .string(file.verdict.rawValue)),
      ("size", file.signed.map { number($0.size) } ?? .null),
      ("sha256", text(file.signed?.sha256.hex)),
      ("reading", .string(file.reading.rawValue)),
      ("bytesHashed", number(file.bytesHashed)),
    ]
    if let table = file.signed?.chunks {
      members.append(("chunkLengths", runs(table.chunks.map(\.length)) { ("length", number($0)) }))
      members.append(
        ("chunkStates", runs(file.chunks) { ("state", .string($0.rawValue)) })
      )
    }
    return members
  }

  /// Equal neighbours together, with their count: tens of thousands of chunks are told in a few words.
  private static func runs<Element: Equatable>(
    _ elements: [Element],
    _ member: (Element) -> (String, JSONValue)
  ) -> JSONValue {
    var runs: [(element: Element, count: Int)] = []
    for element in elements {
      if let last = runs.last, last.element == element {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((element, 1))
      }
    }
    return .array(runs.map { object([member($0.element), ("count", number($0.count))]) })
  }

  fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(uniqueMembers: members))
  }

  fileprivate static func number(_ count: Int) -> JSONValue { .integer(Int64(count)) }

  fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension LocatedFinding {
  fileprivate var members: [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [
      ("model", .string(model.text)),
      ("version", AuditDocument.text(version?.text)),
      ("folder", AuditDocument.text(folder)),
      ("file", AuditDocument.text(file)),
      ("verdict", .string(finding.verdict.rawValue)),
      ("axis", .string(finding.axis.rawValue)),
      ("severity", .string(finding.severity.rawValue)),
      ("expected", AuditDocument.text(finding.expected)),
      ("actual", AuditDocument.text(finding.actual)),
      ("message", .string(finding.text)),
    ]
    if !finding.chunks.isEmpty { members.append(("chunks", .array(finding.chunks.map(\.value)))) }
    return members
  }

  fileprivate var value: JSONValue { AuditDocument.object(members) }
}

extension WrongChunk {
  fileprivate var value: JSONValue {
    AuditDocument.object([
      ("index", AuditDocument.number(index)),
      ("offset", AuditDocument.number(range.lowerBound)),
      ("length", AuditDocument.number(range.count)),
      ("expectedSha256", .string(expected.hex)),
      ("foundSha256", AuditDocument.text(found?.hex)),
    ])
  }
}

extension AuditReport.Unfinished {
  fileprivate var value: JSONValue {
    AuditDocument.object([
      ("reason", .string(reason.rawValue)),
      ("failures", .array(failures.map { .string($0) })),
      ("cursor", AuditDocument.text(cursor?.text)),
    ])
  }
}

extension AuditCounts {
  fileprivate var value: JSONValue {
    AuditDocument.object([
      ("models", AuditDocument.number(models)),
      ("versions", AuditDocument.number(versions)),
      ("files", AuditDocument.number(files)),
      ("chunksVerified", AuditDocument.number(chunksVerified)),
      ("chunksWrong", AuditDocument.number(chunksWrong)),
      ("chunksNotRead", AuditDocument.number(chunksNotRead)),
      ("findings", AuditDocument.number(findings)),
      (
        "filesByVerdict",
        Self.value(AuditVerdict.allCases.map { ($0.rawValue, filesByVerdict[$0]) })
      ),
      (
        "findingsByVerdict",
        Self.value(AuditVerdict.allCases.map { ($0.rawValue, findingsByVerdict[$0]) })
      ),
      (
        "findingsBySeverity",
        Self.value(AuditSeverity.allCases.map { ($0.rawValue, findingsBySeverity[$0]) })
      ),
    ])
  }

  private static func value(_ counts: [(String, Int?)]) -> JSONValue {
    AuditDocument.object(
      counts.compactMap { name, count in count.map { (name, AuditDocument.number($0)) } }
    )
  }
}
