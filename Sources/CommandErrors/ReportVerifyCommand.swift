package import CommandLineKit
import Digests
import Manifests
import Signatures
import StrictJSON
import SystemFiles
import Trust

/// Checks who signed reports of audits, and that they follow each other; the same in both tools.
package struct ReportVerifyCommand<Tool: CommandLineTool>: Command {
  package static var name: [String] { ["report", "verify"] }
  package static var summary: String { "checks who signed reports of audits, and their order" }
  package static var help: CommandHelp {
    CommandHelp(
      operands: [
        OperandHelp(
          "FILE",
          arity: .atLeastOne,
          "signed reports, in the order in which they were made"
        )
      ],
      options: [
        OptionHelp(
          "--key",
          value: "PUB",
          occurrence: .repeatedAtLeastOnce,
          "a public key of the auditor: a file, or its one-line form"
        ),
        OptionHelp(
          "--threshold",
          value: "N",
          "how many of the keys must have signed each report, 1 unless given"
        ),
      ],
      details: [
        """
        Says for each report who signed it, what was audited where and when, and what came out. Each report but the first \
        must name the one before it, by its digest: none can be left out, replaced or put in between. What comes before \
        the first is told as the digest that it names.
        """,
        """
        Ends with 0 where all is as it was signed, whatever the audits found; with 6 where a signature or the order is wrong, \
        and with 9 where what was signed is no report. The findings are in the payload: \
        jq -r .payload FILE | base64 -d | jq .findings
        """,
      ],
      examples: [
        ExampleHelp(
          "\(Tool.table.tool) report verify monday.dsse tuesday.dsse --key keys/auditor.pub",
          "checks two reports and that the second follows the first"
        )
      ]
    )
  }

  private let paths: [String]
  private let keys: [KeyArgument]
  private let threshold: Int

  package init(_ arguments: inout ArgumentReader) throws(UsageError) {
    keys = try arguments.options("--key") { KeyArgument($0) }
    threshold = try arguments.option("--threshold") { try parseCount($0, in: 1...64) } ?? 1
    paths = try arguments.operands("FILE", atLeast: 1) { $0 }
    guard !keys.isEmpty else { throw UsageError("--key is missing") }
    try arguments.finish()
  }

  package func run(_ context: CommandContext) async throws -> ExitCode {
    let rule = try ReportRule(keys: try keys.map { try $0.key(context) }, threshold: threshold)
    var reports: [AcceptedReport] = []
    for path in paths {
      let bytes = try Self.bytes(at: path)
      do throws(TrustError) {
        let report = try rule.accept(bytes, after: reports.last)
        tell(report, at: path, context.console)
        reports.append(report)
      } catch {
        throw context.explain(error).about(path)
      }
    }
    if reports.count > 1 {
      context.console.print("\(reports.count) reports, each names the one before it")
    }
    context.console.summarize([
      "reports": .integer(Int64(reports.count)),
      "findings": .integer(Int64(reports.reduce(0) { $0 + $1.report.findings })),
    ])
    return .done
  }

  private static func bytes(at path: String) throws -> [UInt8] {
    do {
      return try OpenFile(reading: path).readAll(limit: Envelope.maximumSize)
    } catch let error where error.isNotFound {
      throw Diagnostic(.notFound, "there is no report \(path)")
    } catch {
      throw SystemError(error.call, code: error.code, path: path)
    }
  }

  private func tell(_ accepted: AcceptedReport, at path: String, _ console: Console) {
    let report = accepted.report
    console.print("\(path): sha256:\(accepted.digest)")
    for signer in accepted.signers {
      console.print("  signed by \(signer.fingerprint)  \(signer.name)")
    }
    let host = report.hostID.map { "\(report.host) (\($0))" } ?? report.host
    console.print("  audit of the \(report.subjectKind) \(report.subject) on \(host)")
    console.print(
      "  \(report.mode), from \(report.startedAt) to \(report.endedAt), by \(report.tool) \(report.toolVersion)"
    )
    if let start = report.resumedFrom {
      console.print("  a part alone: what stands before \(start) was not looked at")
    }
    console.print("  trust policy sha256:\(report.policy)")
    console.print(
      "  \(counted(report.versions, "version")), \(counted(report.findings, "finding")): \(report.outcome)"
    )
    console.print(
      report.previous.map { "  follows the report sha256:\($0)" }
        ?? "  begins a chain: it follows no report"
    )
    console.event("report", Self.members(of: accepted, at: path))
  }

  private static func members(of accepted: AcceptedReport, at path: String) -> JSONObject {
    let report = accepted.report
    return [
      "path": .string(path), "sha256": .string(accepted.digest.hex),
      "signers": .array(accepted.signers.map { .string($0.fingerprint.description) }),
      "tool": ["name": .string(report.tool), "version": .string(report.toolVersion)],
      "host": [
        "name": .string(report.host), "id": report.hostID.map { .string($0) } ?? .null,
      ],
      "subject": ["kind": .string(report.subjectKind), "path": .string(report.subject)],
      "mode": .string(report.mode), "policySha256": .string(report.policy.hex),
      "startedAt": .string(report.startedAt.text), "endedAt": .string(report.endedAt.text),
      "outcome": .string(report.outcome), "versions": .integer(Int64(report.versions)),
      "findings": .integer(Int64(report.findings)),
      "resumedFrom": report.resumedFrom.map { .string($0) } ?? .null,
      "previousSha256": report.previous.map { .string($0.hex) } ?? .null,
    ]
  }
}
