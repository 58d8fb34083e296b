import Digests
import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

/// Prints where the files of the active version are.
struct PathCommand: Command {
  static let name = ["path"]
  static let summary = "prints the folder with the files of the active version"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", "the model")],
    details: [
      "The path names one version, so it stays the same when another becomes active.",
      "A version that the trust policy accepts no more is warned of; sealift exec does not start it.",
    ],
    examples: [ExampleHelp("sealift path lfm2-2.6b", "prints an absolute path")]
  )

  private let model: ModelName

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    model = try arguments.operand("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let stored = try client.store(having: model).model(model)
    let active = try stored.activeVersion()
    let path = stored.filesPath(of: active.name)
    context.console.printVerbatim(Array("\(path)\n".utf8))
    try VersionJudge(client).warn(of: active.name, in: stored, context.console)
    context.console.summarize([
      "path": .string(path), "version": .string(active.version.text),
      "manifestSha256": .string(active.manifest.hex),
    ])
    return .done
  }
}
