import CommandLineKit

/// Keeps a version whatever else is removed.
struct PinCommand: Command {
  static let name = ["pin"]
  static let summary = "keeps a version until it is unpinned, whatever garbage collection does"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    examples: [ExampleHelp("sealift pin lfm2-2.6b@1.0.0", "keeps version 1.0.0")]
  )

  private let reference: ModelReference

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try reference.setPin(true, context, "pinned")
    return .done
  }
}
