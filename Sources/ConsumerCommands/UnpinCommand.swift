import CommandLineKit

/// Lets go of a version that was kept.
struct UnpinCommand: Command {
  static let name = ["unpin"]
  static let summary = "lets garbage collection remove a version again"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    examples: [ExampleHelp("sealift unpin lfm2-2.6b@1.0.0", "lets go of version 1.0.0")]
  )

  private let reference: ModelReference

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try reference.setPin(false, context, "unpinned")
    return .done
  }
}
