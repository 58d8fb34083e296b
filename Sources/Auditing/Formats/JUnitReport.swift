import Digests
import Manifests

/// An audit as JUnit XML: a suite for each version with a case for each file, and cases for trust and state.
///
/// Findings that count are failures; what was not looked at is skipped; an audit that did not come to its end is an
/// error in a suite of its own. The form is that of the schema `junit-10.xsd` of Jenkins' xUnit plugin.
package struct JUnitReport: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ report: AuditReport) {
    let suites =
      [Suite(runOf: report)]
      + report.models.flatMap { model in
        [Suite(model)] + model.versions.map { Suite($0, of: model, manifests: report.policy) }
      }
    let cases = suites.flatMap(\.cases)
    var xml = MarkupText("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", breaksLines: true)
    xml.write(
      "testsuites",
      [
        "name": "\(report.tool.name) audit", "tests": "\(cases.count)",
        "failures": "\(cases.count { $0.isFailure })", "errors": "\(cases.count { $0.isError })",
        "time": seconds(ofMilliseconds: report.milliseconds),
      ]
    ) { xml in
      for suite in suites { suite.write(of: report, to: &xml) }
    }
    bytes = Array((xml.text + "\n").utf8)
  }
}

private struct Suite {
  let name: String
  var properties: [(name: String, value: String)] = []
  var cases: [Case] = []

  /// What is said of the run itself.
  init(runOf report: AuditReport) {
    name = "audit"
    properties = [
      ("tool", "\(report.tool.name) \(report.tool.version)"), ("subject", report.subject.path),
      ("mode", report.mode.word), ("proves", report.proof),
      ("policySha256", report.policy.digest.hex), ("judgedAt", report.policy.judgedAt.text),
    ]
    properties += report.ignored.map { ("ignored", $0.text) }
    let result: Case.Result =
      report.unfinished.map { .error(type: $0.reason.rawValue, $0.text, $0.failures) }
      ?? .passed(notes: [])
    cases = [Case(group: "audit", name: "the audit came to its end", result: result)]
  }

  /// What is said of a model as a whole.
  init(_ model: AuditedModel) {
    name = model.name.text
    let title = "state: the records of the model agree, and no version is below its floor"
    cases = [Case(group: name, name: title, findings: model.findings)]
  }

  /// What is said of a version and its files.
  init(_ version: AuditedVersion, of model: AuditedModel, manifests policy: AuditReport.Policy) {
    name = "\(model.name.text)@\(version.version.text)"
    properties = [("role", version.role.rawValue)]
    if let folder = version.folder { properties.append(("folder", folder)) }
    if let manifest = version.manifest { properties.append(("manifestSha256", manifest.hex)) }
    let titles: [(AuditAxis, String)] = [
      (.trust, "trust: the policy accepts the manifest"),
      (.state, "state: records and runtime agree with the version"),
      (.integrity, "integrity: the folder of the version"),
    ]
    for (axis, title) in titles {
      let findings = version.findings.filter { $0.axis == axis }
      if axis == .integrity, findings.isEmpty { continue }
      cases.append(Case(group: name, name: title, findings: findings))
    }
    cases += version.files.map { Case(group: name, name: $0.path, findings: $0.findings) }
  }

  func write(of report: AuditReport, to xml: inout MarkupText) {
    xml.write(
      "testsuite",
      [
        "name": name, "tests": "\(cases.count)", "failures": "\(cases.count { $0.isFailure })",
        "errors": "\(cases.count { $0.isError })", "skipped": "\(cases.count { $0.isSkipped })",
        "timestamp": String(report.startedAt.text.dropLast()), "hostname": report.host.name,
      ]
    ) { xml in
      if !properties.isEmpty {
        xml.write("properties") { xml in
          for property in properties {
            xml.writeEmpty("property", ["name": property.name, "value": property.value])
          }
        }
      }
      for item in cases { item.write(to: &xml) }
    }
  }
}

private struct Case {
  enum Result {
    case passed(notes: [String])
    case failed(type: String, String, details: [String])
    case skipped(String)
    case error(type: String, String, [String])
  }

  let group: String
  let name: String
  let result: Result

  init(group: String, name: String, result: Result) {
    (self.group, self.name, self.result) = (group, name, result)
  }

  init(group: String, name: String, findings: [AuditFinding]) {
    self.init(group: group, name: name, result: Self.result(of: findings))
  }

  var isFailure: Bool { if case .failed = result { true } else { false } }
  var isError: Bool { if case .error = result { true } else { false } }
  var isSkipped: Bool { if case .skipped = result { true } else { false } }

  private static func result(of findings: [AuditFinding]) -> Result {
    guard let gravest = findings.gravest else { return .passed(notes: []) }
    if gravest.counts {
      return .failed(
        type: gravest.verdict.rawValue,
        gravest.text,
        details: findings.flatMap(details)
      )
    }
    // A file that was not looked at has not passed.
    if let finding = findings.first(where: { $0.verdict == .notChecked }) {
      return .skipped(finding.text)
    }
    return .passed(notes: findings.map(line))
  }

  private static func line(_ finding: AuditFinding) -> String {
    "\(finding.severity.rawValue) \(finding.verdict.rawValue): \(finding.text)"
  }

  private static func details(_ finding: AuditFinding) -> [String] {
    [line(finding)]
      + finding.chunks.map { chunk in
        "  \(chunk.place): expected \(chunk.expected.hex), found \(chunk.found?.hex ?? "nothing")"
      }
  }

  func write(to xml: inout MarkupText) {
    let attributes: MarkupText.Attributes = ["name": name, "classname": group]
    switch result {
    case .passed(let notes) where notes.isEmpty: xml.writeEmpty("testcase", attributes)
    case .passed(let notes):
      xml.write("testcase", attributes) { $0.write("system-out", lines: notes) }
    case .failed(let type, let message, let details):
      xml.write("testcase", attributes) { xml in
        xml.write("failure", ["type": type, "message": message], lines: details)
      }
    case .skipped(let message):
      xml.write("testcase", attributes) { $0.writeEmpty("skipped", ["message": message]) }
    case .error(let type, let message, let details):
      xml.write("testcase", attributes) { xml in
        xml.write("error", ["type": type, "message": message], lines: details)
      }
    }
  }
}
