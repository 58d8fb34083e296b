import Auditing
import CommandLineKit
import Digests
import Manifests

/// An audit for people: what was looked at and how, a table of versions, every finding, and what it comes to.
struct AuditPage {
  private let report: AuditReport

  init(_ report: AuditReport) { self.report = report }

  /// The lines of the page, already escaped.
  var lines: [String] {
    var lines = head
    if !report.models.isEmpty { lines += table.lines }
    for finding in report.findings { lines += Self.lines(of: finding).map(printable) }
    if let words = cacheWords { lines.append(printable(words)) }
    return lines + tail.map(printable)
  }

  var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  private var head: [String] {
    let policy = report.policy
    let subject =
      switch report.subject {
      case .store(let path): "store \(path)"
      case .folder(let path, let manifest): "folder \(path), manifest \(manifest)"
      }
    var lines = [
      "audit of \(subject)",
      "mode:     \(modeWords): \(report.proof)",
      "policy:   \(policy.path), SHA-256 \(policy.digest.hex), judged at \(policy.judgedAt.text)",
    ]
    if let manifests = policy.manifests { lines.append("manifests from \(manifests)") }
    if let cursor = report.resumedFrom { lines.append("goes on at \(cursor.text)") }
    return lines.map(printable)
  }

  private var modeWords: String {
    guard case .sample(let sample) = report.mode else { return report.mode.word }
    return "sample of \(sample.amount.text), seed \(sample.seed)"
  }

  private var table: TextTable {
    var table = TextTable(
      ["model", "version", "role", "files", "integrity", "trust", "state"],
      alignments: [.left, .left, .left, .right, .left, .left, .left]
    )
    for model in report.models {
      if model.versions.isEmpty || !model.findings.isEmpty {
        table.append([
          model.name.text, "", "", "", Self.word(for: model.findings, on: .integrity),
          Self.word(for: model.findings, on: .trust), Self.word(for: model.findings, on: .state),
        ])
      }
      for version in model.versions {
        let findings = version.allFindings
        table.append([
          model.name.text, version.version.text, version.role.rawValue,
          groupedText(version.files.count), integrity(of: version, in: model),
          Self.word(for: findings, on: .trust), Self.word(for: findings, on: .state),
        ])
      }
    }
    return table
  }

  /// The word for the bytes of a version, which says so where they were not all looked at.
  private func integrity(of version: AuditedVersion, in model: AuditedModel) -> String {
    let word = Self.word(for: version.allFindings, on: .integrity)
    guard let cursor = report.unfinished?.cursor, cursor.model == model.name,
      [version.folder, version.version.text].contains(cursor.version)
    else { return word }
    return word == "ok" ? "not finished" : "\(word), not finished"
  }

  private static func word(for findings: [AuditFinding], on axis: AuditAxis) -> String {
    let findings = findings.filter { $0.axis == axis }
    guard let gravest = findings.gravest else { return "ok" }
    let others = Set(findings.map(\.verdict)).count - 1
    return others > 0 ? "\(gravest.verdict.rawValue), +\(others)" : gravest.verdict.rawValue
  }

  private static func lines(of located: LocatedFinding) -> [String] {
    let finding = located.finding
    var place = located.model.text
    if let version = located.version { place += " \(version.text)" }
    if let file = located.file { place += ": \(file)" }
    return ["\(finding.severity.rawValue): \(finding.verdict.rawValue): \(place): \(finding.text)"]
      + finding.chunks.map { chunk in
        "  \(chunk.place): expected SHA-256 \(chunk.expected.hex), found \(chunk.found?.hex ?? "fewer bytes")"
      }
  }

  /// The files of which nobody can say that they came from the medium, the first of them by name.
  private var cacheWords: String? {
    let readings: [AuditedFile.Reading] = [.throughCache, .unknown]
    let paths = report.models.flatMap(\.versions).flatMap(\.files)
      .filter { readings.contains($0.reading) }.map(\.path)
    guard let first = paths.first else { return nil }
    let others = paths.count > 1 ? " and \(counted(paths.count - 1, "other file"))" : ""
    return
      "note: \(first)\(others) may have been read through the page cache: a program has them mapped, or nobody can tell"
  }

  private var tail: [String] {
    var lines = report.ignored.map { rule in
      let end = rule.until.map { " until \($0.text)" } ?? " in this run"
      return rule.hasEnded
        ? "ignored nothing by \(rule.pattern), which ended at \(rule.until?.text ?? "")"
        : "ignored by \(rule.pattern)\(end): \(counted(rule.count, "finding"))"
    }
    let counts = report.counts
    lines.append(
      "checked \(counted(counts.models, "model")), \(counted(counts.versions, "version")), "
        + "\(counted(counts.files, "file")); \(exactBytesText(report.bytesHashed)) hashed: \(outcomeWords)"
    )
    return lines
  }

  private var outcomeWords: String {
    switch report.outcome {
    case .clean: "no findings"
    case .findings: counted(report.counts.findings, "finding")
    case .unfinished: "not finished, \(counted(report.counts.findings, "finding")) so far"
    }
  }
}
