import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Trust

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
    context.console.summarize(markMembers(name, of: reference.model, isGood: true))
    return .done
  }
}

/// Says that a version does not work.
struct MarkBadCommand: Command {
  static let name = ["mark", "bad"]
  static let summary =
    "says that a version does not work; the one before it returns if it is active"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    options: [OptionHelp("--reason", value: "TEXT", "what is wrong with it")],
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
    reason = try arguments.option("--reason") { $0 } ?? "marked by a person"
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
            kind: "noFallback",
            "no other version of \(reference.model) is there to return to",
            helps: ["install another one"]
          )
        )
      }
    } else {
      try model.markBad(name, reason: reason, now: try .current())
    }
    context.console.print("\(reference.model) \(name.version) is bad")
    context.console.summarize(markMembers(name, of: reference.model, isGood: false))
    return .done
  }
}

private func markMembers(_ name: VersionName, of model: ModelName, isGood: Bool) -> JSONObject {
  [
    "model": .string(model.text), "version": .string(name.version.text), "dir": .string(name.text),
    "good": .boolean(isGood),
  ]
}

extension ModelReference {
  /// The version that is meant: the named one, else the active one.
  func name(in model: borrowing StoredModel) throws -> VersionName {
    if let version { return try model.versionName(version) }
    return try model.activeRecord().active.name
  }
}
