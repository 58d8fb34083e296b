import Digests
import Manifests
import StrictJSON

/// An audit as a SARIF 2.1.0 log (OASIS): a rule for each verdict, a result for each finding.
///
/// Places are files beneath the store or the folder that was audited, with the bytes of wrong chunks as regions. The
/// fingerprint of a result says what is wrong with which file of which version, so it stays the same from run to run.
/// What was not looked at is told by notifications, not by results that pass.
package struct SarifLog: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ report: AuditReport) {
    let places = SarifPlaces(report)
    let rules = SarifRules()
    let run: JSONObject = [
      "tool": [
        "driver": [
          "name": .string(report.tool.name), "version": .string(report.tool.version),
          "semanticVersion": .string(report.tool.version), "rules": .array(rules.descriptors),
          "notifications": .array(SarifInvocation.descriptors),
        ]
      ],
      "automationDetails": [
        "id": .string("sealift-audit/\(report.mode.word)/\(report.startedAt.text)")
      ],
      "invocations": [SarifInvocation.value(report)],
      "originalUriBaseIds": places.bases,
      "artifacts": .array(places.artifacts),
      "results": .array(Self.results(report, rules, places)),
      "properties": [
        "host": .string(report.host.name), "mode": .string(report.mode.word),
        "proves": .string(report.proof), "bytesHashed": .integer(Int64(report.bytesHashed)),
        "policySha256": .string(report.policy.digest.hex),
        "judgedAt": .string(report.policy.judgedAt.text),
      ],
    ]
    bytes = JSONWriter.pretty([
      "$schema":
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0", "runs": [.object(run)],
    ])
  }

  private static func results(
    _ report: AuditReport,
    _ rules: SarifRules,
    _ places: SarifPlaces
  ) -> [JSONValue] {
    var seen: [String: Int] = [:]
    return report.findings.map { located in
      let identity = identity(of: located)
      let number = seen[identity, default: 0]
      seen[identity] = number + 1
      let fingerprint = SHA256Digest(of: Array("\(identity)\n\(number)".utf8)).hex
      let finding = located.finding
      var properties: JSONObject = ["model": .string(located.model.text)]
      properties["version"] = located.version.map { .string($0.text) }
      properties["file"] = located.file.map { .string($0) }
      properties["axis"] = .string(finding.axis.rawValue)
      properties["expected"] = finding.expected.map { .string($0) }
      properties["actual"] = finding.actual.map { .string($0) }
      properties["note"] = finding.note.map { .string($0) }
      if !finding.chunks.isEmpty { properties["chunks"] = .array(finding.chunks.map(\.sarif)) }
      return [
        "ruleId": .string(finding.verdict.rawValue),
        "ruleIndex": .integer(Int64(rules.index(of: finding.verdict))),
        "level": .string(finding.severity.rawValue),
        "message": ["text": .string(message(located))],
        "locations": .array(places.locations(of: located)),
        "partialFingerprints": ["sealiftFinding/v1": .string(fingerprint)],
        "properties": .object(properties),
      ]
    }
  }

  /// What is wrong with what, whatever the bytes are this time and wherever the store lies.
  private static func identity(of located: LocatedFinding) -> String {
    let names = [
      located.finding.verdict.rawValue, located.model.text, located.folder ?? "",
      located.version?.text ?? "", located.file ?? "",
    ]
    return names.map { "\($0.utf8.count):\($0)" }.joined(separator: "\n")
  }

  private static func message(_ located: LocatedFinding) -> String {
    let name = located.version.map { "\(located.model)@\($0)" } ?? located.model.text
    let place = located.file.map { "\(name), \($0)" } ?? name
    return plain("\(place): \(located.finding.text)")
  }

  /// The text as a message that has no placeholder and no link in it (§3.11.5, §3.11.6).
  static func plain(_ text: String) -> String {
    var result = ""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "{", "}": result += "\(scalar)\(scalar)"
      case "[", "]": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension WrongChunk {
  fileprivate var sarif: JSONValue {
    var members: JSONObject = [
      "index": .integer(Int64(index)), "byteOffset": .integer(Int64(range.lowerBound)),
      "byteLength": .integer(Int64(range.count)), "expectedSha256": .string(expected.hex),
    ]
    members["foundSha256"] = found.map { .string($0.hex) }
    return .object(members)
  }
}

/// The verdicts as rules: all of them in their order, so that an index means the same in every log.
private struct SarifRules {
  private let verdicts = AuditVerdict.allCases.filter { $0 != .ok }

  func index(of verdict: AuditVerdict) -> Int { verdicts.firstIndex(of: verdict) ?? -1 }

  var descriptors: [JSONValue] {
    verdicts.map { verdict in
      [
        "id": .string(verdict.rawValue),
        "shortDescription": ["text": .string("\(sentence(verdict.meaning))")],
        "fullDescription": [
          "text": .string("\(sentence(verdict.meaning)) \(verdict.axis.question)")
        ],
        "defaultConfiguration": ["level": .string(verdict.severity.rawValue)],
        "help": [
          "text": .string(
            "\(verdict.axis.question) \(verdict.advice). sealift explain \(verdict.rawValue) says more."
          )
        ],
        "properties": ["tags": [.string(verdict.axis.rawValue)]],
      ]
    }
  }
}

/// How the audit ran, and what it has to say of itself.
private enum SarifInvocation {
  private static let unfinished = "unfinished"
  private static let ignored = "ignored"

  static let descriptors: [JSONValue] = [
    [
      "id": .string(unfinished),
      "shortDescription": ["text": "The audit did not come to its end."],
    ],
    ["id": .string(ignored), "shortDescription": ["text": "Findings were left out on request."]],
  ]

  static func value(_ report: AuditReport) -> JSONValue {
    var members: JSONObject = [
      "executionSuccessful": .boolean(report.outcome != .unfinished),
      "exitCode": .integer(Int64(report.outcome.exitCode)),
      "exitCodeDescription": .string(report.outcome.text),
      "startTimeUtc": .string(report.startedAt.text), "endTimeUtc": .string(report.endedAt.text),
      "machine": .string(report.host.name),
    ]
    if let unfinished = report.unfinished {
      members["toolExecutionNotifications"] = .array(
        ([unfinished.text] + unfinished.failures).map {
          notification($0, Self.unfinished, 0, "error")
        }
      )
    }
    if !report.ignored.isEmpty {
      members["toolConfigurationNotifications"] = .array(
        report.ignored.map { notification($0.text, ignored, 1, $0.hasEnded ? "warning" : "note") }
      )
    }
    return .object(members)
  }

  private static func notification(
    _ text: String,
    _ id: String,
    _ index: Int64,
    _ level: String
  ) -> JSONValue {
    [
      "descriptor": ["id": .string(id), "index": .integer(index)], "level": .string(level),
      "message": ["text": .string(SarifLog.plain(text))],
    ]
  }
}
