import Digests
import Manifests

/// How the audit was made, so that somebody else can make it again, and how to read the page.
struct AboutSection {
  private let report: AuditReport

  init(_ report: AuditReport) { self.report = report }

  func write(to html: inout MarkupText) {
    html.write("section") { html in
      html.write("h2", [:], "How the audit was made")
      html.write("dl", ["class": "card facts-list"]) { html in
        for (name, value) in facts { html.writeFact(name, value) }
      }
    }
    html.write("section") { html in
      html.write("h2", [:], "How to read it")
      html.write("div", ["class": "card columns"]) { html in
        for axis in AuditAxis.allCases {
          html.write("div") { html in
            html.write("h3", [:], axis.title)
            html.write("p", [:], "\(axis.question) \(axis.explanation)")
          }
        }
        html.write("div") { html in
          html.write("h3", [:], "Severity")
          html.write(
            "p",
            [:],
            "An error means that a version should not be used as it is. A warning means that something is not as it was "
              + "left. Errors and warnings are findings; a note is something to know, and no finding."
          )
        }
      }
    }
  }

  private var facts: [(String, String)] {
    let policy = report.policy
    var facts: [(String, String)] = [
      ("Started", report.startedAt.text), ("Ended", report.endedAt.text),
      ("Host", report.host.id.map { "\(report.host.name), \($0)" } ?? report.host.name),
    ]
    switch report.subject {
    case .store(let path): facts.append(("Store", path))
    case .folder(let path, let manifest): facts += [("Folder", path), ("Manifest", manifest)]
    }
    facts.append(("Mode", "\(mode): \(report.proof)"))
    if let cursor = report.resumedFrom { facts.append(("Went on at", cursor.text)) }
    facts += [
      ("Trust policy", policy.path), ("Its SHA-256", policy.digest.hex),
      ("It has", "\(counted(policy.keyCount, "key")), \(counted(policy.ruleCount, "rule"))"),
      ("Judged as of", policy.judgedAt.text),
    ]
    if let manifests = policy.manifests { facts.append(("Manifests from", manifests)) }
    facts += [
      ("Made by", "\(report.tool.name) \(report.tool.version)"),
      ("Exit code", "\(report.outcome.exitCode), \(report.outcome.text)"),
    ]
    return facts
  }

  private var mode: String {
    guard case .sample(let sample) = report.mode else { return report.mode.word }
    return "sample of \(sample.amount.text), seed \(sample.seed)"
  }
}

extension AuditAxis {
  /// What an answer on the axis says and what it does not.
  fileprivate var explanation: String {
    switch self {
    case .integrity:
      "Every file is compared with the signed digests. Right bytes say nothing about who signed them."
    case .trust:
      "Signatures, withdrawals and expiries are judged by the trust policy. A good signature says nothing about the bytes "
        + "on this disk."
    case .state:
      "The records that say what is active, the stamps of what was verified, and the runtimes that load it."
    }
  }
}
