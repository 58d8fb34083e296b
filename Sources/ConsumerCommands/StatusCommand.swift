import CommandLineKit
import Digests
import Manifests
import ModelStore
import StrictJSON

/// Shows the state of models, from what is on disk now.
struct StatusCommand: Command {
  static let name = ["status"]
  static let summary = "shows which version of each model is active, and what is being fetched"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", arity: .optional, "the model; all of them by default")],
    details: [
      """
      Reads no bytes of model files: a version counts as verified while each of its files is still the inode that \
      was verified, unchanged. Says of the active version when the trust policy accepts it no more. Works offline and on a read-only store, and never waits.
      """
    ],
    examples: [ExampleHelp("sealift status", "shows every model in the store")]
  )

  private let model: ModelName?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    model = try arguments.optionalOperand("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    guard let store = try client.storeForReading(having: model) else {
      context.console.inform("no models in \(client.folders.store)")
      context.console.summarize(["models": .integer(0)])
      return .done
    }
    client.warnAboutFileSystem(of: store)
    let names = try model.map { [$0] } ?? store.modelNames()
    if names.isEmpty { context.console.inform("no models in \(client.folders.store)") }
    var count = 0
    let judge = try VersionJudge(client)
    try client.warnOfStaleRepositories(of: names, among: judge.repositories)
    let code = try await client.forEach(names) { name in
      let stored = try store.model(name)
      let status = try stored.status()
      let lines = StatusLines(status, answer: try judge.answer(ofActive: status, in: stored))
      for line in lines.lines { context.console.print(line) }
      for line in lines.advice { context.console.inform(line) }
      context.console.event("model", lines.members)
      count += 1
    }
    let odd = model == nil ? try client.tellOddEntries(of: store) : nil
    context.console.summarize(["models": .integer(Int64(count))])
    return code ?? odd ?? .done
  }
}
