/// The answers on the three axes, and what was looked at, in numbers.
struct SummarySection {
  private let judgement: ReportJudgement

  init(_ judgement: ReportJudgement) { self.judgement = judgement }

  func write(to html: inout MarkupText) {
    html.write("div", ["class": "axes"]) { html in
      for axis in AuditAxis.allCases { write(axis, to: &html) }
    }
    writeNumbers(to: &html)
    if let unfinished = judgement.report.unfinished { write(unfinished, to: &html) }
    if !judgement.report.ignored.isEmpty { write(judgement.report.ignored, to: &html) }
  }

  private func write(_ axis: AuditAxis, to html: inout MarkupText) {
    let (tone, answer) = judgement.answer(on: axis)
    html.write("section", ["class": "card axis \(tone.rawValue)"]) { html in
      html.write("h2", [:], axis.title)
      html.write("p", ["class": "answer"]) { html in
        html.write(markup: tone.icon(size: 22))
        html.write("span", [:], answer)
      }
      html.write("p", [:], axis.question)
    }
  }

  private func writeNumbers(to html: inout MarkupText) {
    let (report, counts) = (judgement.report, judgement.counts)
    let severities = [AuditSeverity.error, .warning, .note].compactMap { severity in
      counts.findingsBySeverity[severity].map { counted($0, severity.rawValue) }
    }
    html.write("dl", ["class": "card tiles"]) { html in
      Self.write(
        "Findings",
        grouped(counts.findings),
        severities.joined(separator: ", "),
        to: &html
      )
      Self.write(
        "Versions",
        grouped(counts.versions),
        "of \(counted(counts.models, "model"))",
        to: &html
      )
      let right = counts.filesByVerdict[.ok] ?? 0
      Self.write("Files", grouped(counts.files), "\(grouped(right)) without a finding", to: &html)
      let time = "in \(seconds(ofMilliseconds: report.milliseconds).dropLast(2)) s"
      Self.write("Read and hashed", rounded(bytes: report.bytesHashed), time, to: &html)
    }
  }

  private static func write(
    _ name: String,
    _ value: String,
    _ more: String,
    to html: inout MarkupText
  ) {
    html.write("div") { html in
      html.write("dt", [:], name)
      html.write("dd") { html in
        html.write(text: value)
        html.write("small", [:], more.isEmpty ? "nothing to act on" : more)
      }
    }
  }

  private func write(_ unfinished: AuditReport.Unfinished, to html: inout MarkupText) {
    html.write("section", ["class": "card notice care"]) { html in
      html.write("h2") { html in
        html.write(markup: ReportTone.care.icon(size: 18))
        html.write(text: "Not finished: \(unfinished.text).")
      }
      if !unfinished.failures.isEmpty {
        html.write("ul") { html in
          for failure in unfinished.failures { html.write("li", [:], failure) }
        }
      }
      if let cursor = unfinished.cursor {
        html.write("p") { html in
          html.write(text: "Where to go on: ")
          html.write("code", [:], "--resume \(cursor.text)")
        }
      }
    }
  }

  private func write(_ ignored: [AuditReport.Ignored], to html: inout MarkupText) {
    html.write("section", ["class": "card notice idle"]) { html in
      html.write("h2") { html in
        html.write(markup: ReportTone.idle.icon(size: 18))
        html.write(text: "Left out on request")
      }
      html.write("ul") { html in
        for rule in ignored {
          html.write("li") { html in
            html.write("code", [:], rule.pattern)
            html.write(text: rule.tail)
          }
        }
      }
    }
  }
}

extension AuditAxis {
  /// The axis as a heading.
  var title: String {
    switch self {
    case .integrity: "Integrity"
    case .trust: "Trust"
    case .state: "State"
    }
  }
}
