import Digests
import Manifests
import Signatures

/// An audit as one page that stands by itself: for a person who has to believe it, or to hand it on.
///
/// It loads nothing and runs nothing: a policy in the page forbids all but its own style, by its hash. What came out is
/// said first, then what was found, version by version, with a map of the chunks of damaged files. Nothing is told by
/// colour alone. It adapts to light and dark, prints, and can be read with a keyboard and a screen reader.
package struct HTMLReport: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ report: AuditReport) {
    let judgement = ReportJudgement(report)
    var html = MarkupText("<!DOCTYPE html>\n")
    html.write("html", ["lang": "en"]) { html in
      Self.writeHead(judgement, to: &html)
      html.write("body") { html in
        html.write("a", ["class": "skip", "href": "#versions"], "Skip to the versions")
        Self.writeMasthead(judgement, to: &html)
        html.write("main", ["class": "wide"]) { html in
          SummarySection(judgement).write(to: &html)
          VersionsSection(report).write(to: &html)
          AboutSection(report).write(to: &html)
        }
        html.write(
          "footer",
          ["class": "wide"],
          "Made by \(report.tool.name) \(report.tool.version). This page holds no script and loads nothing; whether it is the page "
            + "that was made, only a signed report can prove."
        )
      }
    }
    bytes = Array((html.text + "\n").utf8)
  }

  private static func writeHead(_ judgement: ReportJudgement, to html: inout MarkupText) {
    let hash = Base64.encode(SHA256Digest(of: Array(HTMLStyle.text.utf8)).bytes)
    let policy =
      "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
    html.write("head") { html in
      html.writeVoid("meta", ["charset": "utf-8"])
      // No text from outside stands in the policy, whose quotes must stay.
      html.write(
        markup: "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
      )
      html.writeVoid(
        "meta",
        ["name": "viewport", "content": "width=device-width, initial-scale=1"]
      )
      html.writeVoid("meta", ["name": "color-scheme", "content": "light dark"])
      html.writeVoid("meta", ["name": "referrer", "content": "no-referrer"])
      html.write("title", [:], "Audit of \(judgement.report.host.name): \(judgement.headline)")
      html.write(markup: "<style>\(HTMLStyle.text)</style>")
    }
  }

  private static func writeMasthead(_ judgement: ReportJudgement, to html: inout MarkupText) {
    let report = judgement.report
    html.write("header", ["class": "masthead \(judgement.tone.rawValue)"]) { html in
      html.write("div", ["class": "wide"]) { html in
        html.write("p", ["class": "kicker"], "\(report.tool.name) audit")
        html.write("h1") { html in
          html.write(markup: judgement.tone.icon(size: 30))
          html.write("span", [:], judgement.headline)
        }
        html.write("p", ["class": "lead"], judgement.lead)
      }
    }
  }
}
