import Digests
import Manifests

/// An audit as metrics in the text format of Prometheus (version 0.0.4), for the textfile collector of a node.
///
/// Every series that can be counted is there, with 0 where nothing is: a rule that waits for a number sees it from the
/// first run on. Lines end with LF, the last one too.
package struct MetricsReport: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ report: AuditReport) {
    var text = MetricsText()
    Self.writeRun(report, to: &text)
    Self.writeCounts(report, to: &text)
    Self.writeVersions(report, to: &text)
    bytes = Array(text.text.utf8)
  }

  private static func writeRun(_ report: AuditReport, to text: inout MetricsText) {
    text.write(
      "sealift_audit_info",
      "What made the audit, and by which rules.",
      [
        (
          [
            "version": report.tool.version, "machine": report.host.name,
            "subject": report.subject.path,
            "mode": report.mode.word, "policy_sha256": report.policy.digest.hex,
          ], "1"
        )
      ]
    )
    text.write(
      "sealift_audit_last_run_timestamp_seconds",
      "When the audit ended, in seconds since 1970.",
      [([:], "\(report.endedAt.seconds)")]
    )
    text.write(
      "sealift_audit_duration_seconds",
      "How long the audit took.",
      [([:], seconds(ofMilliseconds: report.milliseconds))]
    )
    text.write(
      "sealift_audit_bytes_hashed_total",
      "Bytes that the audit read and hashed.",
      type: "counter",
      [([:], "\(report.bytesHashed)")]
    )
    text.write(
      "sealift_audit_outcome",
      "How the audit ended: 1 for the one outcome that holds.",
      AuditReport.Outcome.allCases.map {
        (["outcome": $0.rawValue], $0 == report.outcome ? "1" : "0")
      }
    )
  }

  private static func writeCounts(_ report: AuditReport, to text: inout MetricsText) {
    let counts = report.counts
    text.write("sealift_audit_models", "Models that were audited.", [([:], "\(counts.models)")])
    text.write(
      "sealift_audit_versions",
      "Versions that were audited.",
      [([:], "\(counts.versions)")]
    )
    text.write(
      "sealift_audit_files",
      "Files by what the audit says of them; each file counts once.",
      AuditVerdict.allCases.filter { $0.axis == .integrity || counts.filesByVerdict[$0] != nil }
        .map { (["verdict": $0.rawValue], "\(counts.filesByVerdict[$0] ?? 0)") }
    )
    text.write(
      "sealift_audit_chunks",
      "Chunks by what is known of their bytes.",
      [
        (["state": "verified"], "\(counts.chunksVerified)"),
        (["state": "wrong"], "\(counts.chunksWrong)"),
        (["state": "notRead"], "\(counts.chunksNotRead)"),
      ]
    )
    text.write(
      "sealift_audit_findings",
      "Findings of files, versions and models; those of severity note do not count as such in the outcome.",
      findings(of: report)
    )
  }

  private static func findings(of report: AuditReport) -> [MetricsText.Sample] {
    struct Key: Hashable { let verdict: AuditVerdict, severity: AuditSeverity }
    let found = report.findings.reduce(into: [Key: Int]()) { counts, located in
      let finding = located.finding
      counts[Key(verdict: finding.verdict, severity: finding.severity), default: 0] += 1
    }
    return AuditVerdict.allCases.filter { $0 != .ok }.flatMap { verdict in
      AuditSeverity.allCases.compactMap { severity -> MetricsText.Sample? in
        let count = found[Key(verdict: verdict, severity: severity)]
        guard count != nil || severity == verdict.severity else { return nil }
        let labels: MetricsText.Labels = [
          "axis": verdict.axis.rawValue, "verdict": verdict.rawValue, "severity": severity.rawValue,
        ]
        return (labels, "\(count ?? 0)")
      }
    }
  }

  private static func writeVersions(_ report: AuditReport, to text: inout MetricsText) {
    let versions = report.models.flatMap { model in
      model.versions.map { (model.name.text, $0) }
    }
    func labels(_ model: String, _ version: AuditedVersion) -> MetricsText.Labels {
      [
        "model": model, "model_version": version.version.text, "folder": version.folder ?? "",
        "role": version.role.rawValue,
      ]
    }
    text.write(
      "sealift_audit_version_trusted",
      "Whether the policy accepts the manifest of a version: 1 or 0.",
      versions.map { (labels($0, $1), $1.isTrusted ? "1" : "0") }
    )
    text.write(
      "sealift_audit_version_findings",
      "Findings of a version and its files that count in the outcome, by axis.",
      versions.flatMap { model, version in
        AuditAxis.allCases.map { axis in
          let labels: MetricsText.Labels = [
            "model": model, "model_version": version.version.text, "folder": version.folder ?? "",
            "role": version.role.rawValue, "axis": axis.rawValue,
          ]
          return (labels, "\(version.findings(on: axis).count { $0.counts })")
        }
      }
    )
  }
}

/// Writes families of metrics, each with its help and type.
private struct MetricsText {
  typealias Labels = KeyValuePairs<String, String>
  typealias Sample = (labels: Labels, value: String)

  private(set) var text = ""

  /// Writes a family; nothing where it has no sample.
  mutating func write(
    _ name: String,
    _ help: String,
    type: String = "gauge",
    _ samples: [Sample]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    for sample in samples { text += "\(name)\(Self.written(sample.labels)) \(sample.value)\n" }
  }

  private static func written(_ labels: Labels) -> String {
    guard !labels.isEmpty else { return "" }
    return "{" + labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
  }

  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in visible(value).unicodeScalars {
      if scalar == "\\" || scalar == "\"" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
