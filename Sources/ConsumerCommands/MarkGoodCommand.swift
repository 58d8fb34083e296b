import CommandLineKit
import ModelStore

/// Says that a version works.
struct MarkGoodCommand: Command {
  static let name = ["mark", "good"]
  static let summary = "says that a version works, which ends its trial"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    details: ["The version becomes the downgrade floor, and loses the mark of a bad one."],
    examples: [ExampleHelp("sealift mark good lfm2-2.6b", "keeps the version that is on trial")]
  )

  private let reference: ModelReference

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let model = try client.storedModel(reference.model)
    try await client.reconcile(model)
    let name = try reference.name(in: model)
    try model.markGood(name)
    context.console.print("\(reference.model) \(name.version) is good")
    context.console.summarize(reference.markMembers(name, isGood: true))
    return .done
  }
}
