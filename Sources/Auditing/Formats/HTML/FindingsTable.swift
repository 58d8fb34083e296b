/// Findings in a table, the gravest first.
struct FindingsTable {
  /// The most rows of a table; a page with more could not be opened.
  private static let limit = 1000

  private let findings: [(file: String?, finding: AuditFinding)]

  init(_ findings: [(file: String?, finding: AuditFinding)]) {
    // By severity and then as they came: a sort need not be stable.
    self.findings = AuditSeverity.allCases.sorted(by: >).flatMap { severity in
      findings.filter { $0.finding.severity == severity }
    }
  }

  func write(to html: inout MarkupText) {
    html.write("div", ["class": "part scroll"]) { html in
      html.write("table", ["class": "findings"]) { html in
        html.write("caption", [:], caption)
        html.writeHeader(["Severity", "Verdict", "File", "Expected and found"])
        html.write("tbody") { html in
          for (file, finding) in findings.prefix(Self.limit) {
            Self.write(finding, file, to: &html)
          }
        }
      }
    }
    let left = findings.count - Self.limit
    if left > 0 {
      html.write(
        "p",
        ["class": "more"],
        "\(counted(left, "finding")) more stand in the JSON report."
      )
    }
  }

  private var caption: String {
    let severities = AuditSeverity.allCases.sorted(by: >).compactMap { severity -> String? in
      let count = findings.count { $0.finding.severity == severity }
      return count > 0 ? counted(count, severity.rawValue) : nil
    }
    return "Found: \(severities.joined(separator: ", "))"
  }

  private static func write(_ finding: AuditFinding, _ file: String?, to html: inout MarkupText) {
    html.write("tr") { html in
      html.write("td") { html in
        html.writeBadge(ReportTone(finding.severity), finding.severity.rawValue)
      }
      html.write("td") { html in
        html.write("strong", [:], finding.verdict.words)
        html.write("span", ["class": "tag"], finding.axis.rawValue)
        html.write("p", ["class": "meaning"], sentence(finding.verdict.meaning))
        html.write("p", ["class": "meaning"], "\(finding.verdict.advice).")
      }
      html.write("td") { html in
        if let file {
          html.write("code", [:], file)
        } else {
          html.write("span", ["class": "light"], "–")
        }
      }
      html.write("td") { html in writeFacts(of: finding, to: &html) }
    }
  }

  private static func writeFacts(of finding: AuditFinding, to html: inout MarkupText) {
    html.write("dl", ["class": "values"]) { html in
      for (name, value) in [("expected", finding.expected), ("found", finding.actual)] {
        guard let value else { continue }
        html.write("dt", [:], name)
        html.write("dd") { $0.write("code", [:], value) }
      }
      if !finding.chunks.isEmpty {
        let bytes = finding.chunks.reduce(0) { $0 + $1.range.count }
        html.write("dt", [:], "wrong")
        html.write("dd", [:], "\(counted(finding.chunks.count, "chunk")), \(rounded(bytes: bytes))")
      }
    }
    if let note = finding.note { html.write("p", ["class": "meaning"], note) }
  }
}
