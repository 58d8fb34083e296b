import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import StrictJSON

/// What `mirror check` prints: a table of mirrors, then the findings.
struct MirrorCheckPage {
  /// The most findings of one mirror that people are shown.
  private static let shownFindings = 20

  private let report: MirrorCheckReport
  private let release: Release

  init(_ report: MirrorCheckReport, of release: Release) {
    self.report = report
    self.release = release
  }

  func tell(_ console: Console) {
    console.print(table)
    for mirror in report.mirrors {
      console.event("mirror", mirror.members)
      for finding in mirror.findings.prefix(Self.shownFindings) {
        console.print("\(finding.mirror): \(finding.file): \(finding.problem.text)")
      }
      let rest = mirror.findings.count - Self.shownFindings
      if rest > 0 { console.print("\(mirror.mirror): and \(counted(rest, "finding")) more") }
      for finding in mirror.findings { console.event("finding", finding.members(in: release)) }
    }
  }

  /// Says what it comes to, and returns the exit code.
  func end(_ console: Console) -> ExitCode {
    let findings = report.findings
    if findings.isEmpty {
      console.inform("\(counted(report.mirrors.count, "mirror")) checked, no findings")
      return .done
    }
    if report.isSilent {
      let diagnostic = Diagnostic(
        .network,
        kind: .unreachable,
        "no mirror of \(release.model) \(release.version) gives an answer",
        helps: ["check the network here and the URLs, then run the same command again"]
      )
      console.report(diagnostic)
      return diagnostic.exitCode
    }
    let bad = report.mirrors.count { !$0.findings.isEmpty }
    console.report(
      Diagnostic(
        .findings,
        "\(counted(findings.count, "finding")) at \(bad) of \(counted(report.mirrors.count, "mirror"))",
        helps: ["repair these mirrors, or leave them out of the next release"]
      )
    )
    return .findings
  }

  private var table: TextTable {
    var table = TextTable(
      ["mirror", "state", "files", "right", "bytes read", "ranges", "redirects", "slowest answer"],
      alignments: [.left, .left, .right, .right, .right, .left, .left, .right]
    )
    for mirror in report.mirrors {
      table.append([
        mirror.mirror.redacted,
        mirror.state,
        mirror.fileWords,
        groupedText(mirror.rightChunks),
        groupedText(mirror.bytes),
        mirror.honoursRanges.map { $0 ? "yes" : "no" } ?? "not seen",
        mirror.redirectWords,
        mirror.slowestAnswer.map(preciseText) ?? "none",
      ])
    }
    return table
  }
}

extension MirrorOutcome {
  /// The kinds of its findings, each once.
  fileprivate var kinds: [String] {
    findings.reduce(into: []) { kinds, finding in
      let kind = finding.problem.kind.rawValue
      if !kinds.contains(kind) { kinds.append(kind) }
    }
  }

  fileprivate var state: String {
    if !findings.isEmpty { return kinds.joined(separator: ", ") }
    return unverifiedFiles > 0 ? "unverified" : "ok"
  }

  /// How many files were asked for, and of how many where not of all.
  fileprivate var fileWords: String {
    let asked = groupedText(askedFiles)
    return skippedFiles > 0 ? "\(asked) of \(groupedText(askedFiles + skippedFiles))" : asked
  }

  fileprivate var redirectWords: String {
    guard redirects > 0 else { return "none" }
    return "\(redirects) to \(redirectOrigins.joined(separator: ", "))"
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "mirror": .string(mirror.redacted),
      "state": .string(findings.isEmpty ? state : "findings"),
      "findings": .integer(Int64(findings.count)),
      "askedFiles": .integer(Int64(askedFiles)),
      "skippedFiles": .integer(Int64(skippedFiles)),
      "unverifiedFiles": .integer(Int64(unverifiedFiles)),
      "rightChunks": .integer(Int64(rightChunks)),
      "bytes": .integer(Int64(bytes)),
      "isReached": .boolean(isReached),
    ]
    members["honoursRanges"] = honoursRanges.map { .boolean($0) }
    members["redirects"] = .integer(Int64(redirects))
    members["redirectOrigins"] = .array(redirectOrigins.map { .string($0) })
    members["slowestAnswerMilliseconds"] = slowestAnswer.map { .integer($0.milliseconds) }
    return members
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// A short time in seconds with two places: `0.04 s`.
private func preciseText(_ time: Duration) -> String {
  let hundredths = time.milliseconds / 10
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
}
