import CommandErrors
import CommandLineKit
import Manifests
import Publishing

struct DiffCommand: Command {
  static let name = ["diff"]
  static let summary = "shows what differs between two manifests, and what an update fetches"
  static let help = CommandHelp(
    operands: [
      OperandHelp("OLD", "the manifest before"), OperandHelp("NEW", "the manifest after"),
    ],
    options: [OptionHelp("--exit-code", "ends with 10 where anything differs")],
    details: [
      """
      Compares files by path and digest, so that a file that was only renamed is told as that. The bytes that an update \
      needs are those of chunks that the old release does not have. Runtimes, mirrors, licence and whatever else the \
      manifests say is compared too, and who claims to have signed them; nothing is verified.
      """
    ],
    examples: [
      ExampleHelp(
        "sealift-publish diff manifests/tiny/1.0.0.json manifests/tiny/1.1.0.json",
        "shows what a client gets with the new release, before anybody signs it"
      )
    ]
  )

  private let old: String
  private let new: String
  private let setsExitCode: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    setsExitCode = try arguments.flag("--exit-code")
    old = try arguments.operand("OLD") { $0 }
    new = try arguments.operand("NEW") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let page = DifferencePage(from: try side(old), to: try side(new))
    for line in page.lines { console.print(line) }
    for file in page.fileEvents { console.event("file", file) }
    for fact in page.factEvents { console.event("fact", fact) }
    console.summarize(page.members)
    return setsExitCode && page.differs ? .findings : .done
  }

  private func side(_ path: String) throws -> DifferencePage.Side {
    let file = try ManifestFile(reading: path)
    return DifferencePage.Side(envelope: file.envelope, release: try file.release())
  }
}
