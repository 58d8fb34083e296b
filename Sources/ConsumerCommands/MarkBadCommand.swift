import CommandErrors
import CommandLineKit
import Installing
import ModelStore

/// Says that a version does not work.
struct MarkBadCommand: Command {
  static let name = ["mark", "bad"]
  static let summary =
    "says that a version does not work; the one before it returns if it is active"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    options: [OptionHelp("--reason", value: "TEXT", "what is wrong with it, in up to 1,000 bytes")],
    details: [
      "Nothing activates a bad version by itself. Installing or activating it by name does, and takes the mark away."
    ],
    examples: [
      ExampleHelp(
        "sealift mark bad lfm2-2.6b --reason 'answers in the wrong language'",
        "returns to the version before"
      )
    ]
  )

  private let reference: ModelReference
  private let reason: String

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    reason =
      try arguments.option("--reason") { try parseText($0, upTo: longestReason) }
      ?? "marked by a person"
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let model = try client.storedModel(reference.model)
    try await client.reconcile(model)
    let name = try reference.name(in: model)
    let change = VersionSwitch(policy: try client.policy(), runtimes: [], now: try .current())
    if let record = try model.recordState().record, record.active.name == name {
      let new = try await change.markActiveBad(record, of: model, reason: reason)
      if new.active != record.active {
        context.console.inform("\(reference.model) \(new.active.version) is active")
      } else {
        context.console.warn(
          Diagnostic(
            .notFound,
            kind: .noFallback,
            "no other good version of \(reference.model) is there to return to",
            helps: ["install another one"]
          )
        )
      }
    } else {
      try model.markBad(name, reason: reason, now: try .current())
    }
    context.console.print("\(reference.model) \(name.version) is bad")
    context.console.summarize(reference.markMembers(name, isGood: false))
    return .done
  }
}
