import Digests
import Manifests

/// Every version with its answers and findings: first those with findings, then the others.
struct VersionsSection {
  private struct Entry {
    let model: AuditedModel
    let version: AuditedVersion
    let number: Int
  }

  private let report: AuditReport

  init(_ report: AuditReport) { self.report = report }

  private var entries: [Entry] {
    report.models.flatMap { model in model.versions.map { (model, $0) } }.enumerated()
      .map { Entry(model: $1.0, version: $1.1, number: $0 + 1) }
  }

  func write(to html: inout MarkupText) {
    let entries = entries
    let troubled = entries.filter { !$0.version.allFindings.isEmpty }
    let calm = entries.filter { $0.version.allFindings.isEmpty }
    html.write("section", ["id": "versions"]) { html in
      html.write("h2", [:], "Versions at a glance")
      writeOverview(entries, to: &html)
    }
    let models = report.models.filter { !$0.findings.isEmpty }
    if !troubled.isEmpty || !models.isEmpty {
      html.write("section") { html in
        html.write("h2", [:], "What was found")
        for model in models { write(model, to: &html) }
        for entry in troubled { Self.card(entry).write(to: &html) }
      }
    }
    if !calm.isEmpty {
      html.write("section") { html in
        html.write("h2", [:], "Without findings")
        for entry in calm { Self.card(entry).write(to: &html) }
      }
    }
  }

  private static func card(_ entry: Entry) -> VersionCard {
    VersionCard(entry.version, of: entry.model.name, number: entry.number)
  }

  private func writeOverview(_ entries: [Entry], to html: inout MarkupText) {
    guard !entries.isEmpty else {
      let text =
        "\(sentence("\(counted(report.models.count, "model")) checked")) No version lies there."
      html.write("p", ["class": "card notice"], text)
      return
    }
    html.write("div", ["class": "card scroll"]) { html in
      html.write("table") { html in
        html.write("caption", [:], "Each version, and how it stands on each axis.")
        html.writeHeader(["Version", "Role", "Files", "Integrity", "Trust", "State"], numbers: [2])
        html.write("tbody") { html in
          for entry in entries { write(entry, to: &html) }
        }
      }
    }
  }

  private func write(_ entry: Entry, to html: inout MarkupText) {
    let version = entry.version
    html.write("tr") { html in
      html.write("th", ["scope": "row"]) { html in
        html.write("a", ["href": "#v\(entry.number)"], "\(entry.model.name) \(version.version)")
      }
      html.write("td", [:], version.role.rawValue)
      html.write("td", ["class": "number"], grouped(version.files.count))
      for axis in AuditAxis.allCases {
        html.write("td") { html in
          html.writeBadge(version.tone(on: axis), version.word(on: axis))
        }
      }
    }
  }

  private func write(_ model: AuditedModel, to html: inout MarkupText) {
    html.write("article", ["class": "card version"]) { html in
      html.write("header") { html in
        html.write("h3") { html in
          html.write(text: "\(model.name) ")
          html.write("span", ["class": "light"], "the model as a whole")
        }
      }
      FindingsTable(model.findings.map { (nil, $0) }).write(to: &html)
    }
  }
}

extension AuditedVersion {
  /// How the version stands on an axis.
  func tone(on axis: AuditAxis) -> ReportTone {
    let tone = ReportTone(of: findings(on: axis))
    if axis == .integrity, tone == .good, !isRead { return .idle }
    // Files that nobody looked at are told on the axis of state, and leave the bytes unknown.
    if axis == .integrity, tone == .good, allFindings.contains(where: { $0.verdict == .notChecked })
    {
      return .idle
    }
    if axis == .trust, !isTrusted { return max(tone, .care) }
    return tone
  }

  /// How the version stands on an axis, in a word or two.
  func word(on axis: AuditAxis) -> String {
    let findings = findings(on: axis)
    if let gravest = findings.gravest, gravest.counts {
      let others = Set(findings.filter(\.counts).map(\.verdict)).count - 1
      return others > 0 ? "\(gravest.verdict.words), +\(others)" : gravest.verdict.words
    }
    switch (axis, tone(on: axis)) {
    case (.integrity, .good): return "as signed"
    case (.integrity, _): return files.contains { $0.bytesHashed > 0 } ? "read in part" : "not read"
    case (.trust, .good): return "accepted"
    case (.trust, _): return "not accepted"
    case (.state, .good): return "in order"
    case (.state, _): return findings.gravest?.verdict.words ?? "in order"
    }
  }

  /// Whether every byte that the manifest names was read.
  private var isRead: Bool {
    files.allSatisfy { file in
      guard let signed = file.signed else { return true }
      guard signed.size > 0 else { return true }
      return file.chunks.isEmpty ? file.reading != .none : !file.chunks.contains(.notRead)
    }
  }
}
