import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

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
    try setPin(true, reference, context, "pinned")
    return .done
  }
}

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
    try setPin(false, reference, context, "unpinned")
    return .done
  }
}

private func setPin(
  _ isPinned: Bool,
  _ reference: ModelReference,
  _ context: CommandContext,
  _ word: String
) throws {
  let model = try Client(context).storedModel(reference.model)
  let name = try reference.name(in: model)
  let isChanged = try model.setPin(isPinned, of: name)
  context.console.print("\(reference.model) \(name.version) is \(word)")
  context.console.summarize([
    "model": .string(reference.model.text), "version": .string(name.version.text),
    "dir": .string(name.text), "pinned": .boolean(isPinned), "changed": .boolean(isChanged),
  ])
}
