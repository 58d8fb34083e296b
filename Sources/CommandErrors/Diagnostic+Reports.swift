import CommandLineKit
import Digests
import Manifests
import Signatures
import Trust

extension Diagnostic {
  /// Why a report of an audit is not accepted.
  ///
  /// 6 for what too few of the keys have signed, or what does not follow the report before it; 9 for what they signed and is
  /// no report.
  init(aboutReport error: TrustError) {
    switch error {
    case .noReport(let problem):
      self.init(
        .notAccepted,
        kind: .noReport,
        "this is no signed report",
        notes: [problem.text],
        helps: ["sealift audit --sign KEY --output FILE makes one"]
      )
    case .tooFewReportSigners(let counted, let threshold, let claimed):
      let names = claimed.map(claimedName).joined(separator: ", ")
      self.init(
        .notAccepted,
        kind: .untrustedReport,
        counted.isEmpty
          ? "none of the keys has signed this report"
          : "\(counted.count) of the keys signed this report, \(threshold) needed",
        notes: counted.map { "signed by \($0)" }
          + [claimed.isEmpty ? "it has no signature" : "it names these signers: \(names)"],
        helps: [
          "it was changed, or signed by another key: get it again, or name that key with --key"
        ]
      )
    case .unusableReport(let problem):
      self.init(
        .unusable,
        kind: .badReport,
        problem.text,
        notes: ["a key that was given signed it"],
        helps: ["use a newer version of this tool, or give reports of audits only"]
      )
    case .brokenChain(let expected, let found):
      self.init(
        .notAccepted,
        kind: .brokenChain,
        "the report does not follow the one before it",
        notes: [
          "the one before it is \(expected)",
          found.map { "it names \($0)" } ?? "it names none, as the first of a chain does",
        ],
        helps: [
          "give the reports in the order in which they were made, and all of them",
          "one that is missing was left out or taken away",
        ]
      )
    default: preconditionFailure("not about a report")
    }
  }
}
