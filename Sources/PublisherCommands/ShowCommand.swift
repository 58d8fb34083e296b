import CommandErrors
import CommandLineKit
import Manifests
import Publishing

struct ShowCommand: Command {
  static let name = ["show"]
  static let summary = "prints what a manifest says, without verifying anything"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest")],
    options: [OptionHelp("--chunks", "shows each chunk too, with its place and its digest")],
    details: [
      "Nothing is verified: the signers are those that the file claims. verify checks them, and files. "
        + "With --json, each file is an event and the release is the summary."
    ],
    examples: [
      ExampleHelp("sealift-publish show manifests/tiny/1.0.0.json", "prints the release")
    ]
  )

  private let path: String
  private let hasChunks: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    hasChunks = try arguments.flag("--chunks")
    path = try arguments.operand("MANIFEST") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let file = try ManifestFile(reading: path)
    let page = ManifestPage(
      file.envelope,
      try file.release(),
      at: try .current(),
      hasChunks: hasChunks
    )
    for line in page.lines { context.console.print(line) }
    context.console.print(page.files)
    for line in page.end { context.console.print(line) }
    for file in page.fileEvents { context.console.event("file", file) }
    context.console.summarize(page.members)
    return .done
  }
}
