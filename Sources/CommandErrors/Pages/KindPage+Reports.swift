import CommandLineKit

extension KindPage {
  /// The pages of reports of audits and of who signed them.
  static let reports = [
    KindPage(
      .noReport,
      .notAccepted,
      means: "the file is no signed report of an audit, so nobody can have signed it",
      causes: [
        "a report that was not signed: JSON, a page or a table",
        "another file in its place, or one that was cut off",
      ],
      helps: ["sealift audit --sign KEY --output FILE makes a signed report"]
    ),
    KindPage(
      .badReport,
      .unusable,
      means: "what was signed is no report of an audit, or cannot be one",
      causes: [
        "a manifest, or another document that the key has signed",
        "a report that a newer version of the tool has made",
        "a report with more findings than an envelope of 16 MiB has room for",
      ],
      helps: [
        "use a newer version of this tool", "audit fewer models at once: sealift audit MODEL",
      ]
    ),
    KindPage(
      .untrustedReport,
      .notAccepted,
      means: "too few of the keys that were given have signed the report as it lies here",
      causes: [
        "it was changed after it was signed", "the auditor signs with another key",
        "it was copied as text, and its payload was damaged",
      ],
      helps: ["get the report again from whoever made it", "ask the auditor for the public key"]
    ),
    KindPage(
      .brokenChain,
      .notAccepted,
      means: "the report names another one before it than the one that was given",
      causes: [
        "a report between the two is missing, or the order is another one",
        "a report was replaced after the next one had been made",
        "the chain was begun anew, without --previous",
      ],
      helps: ["give all reports in the order in which they were made"]
    ),
  ]
}
