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
      was verified, unchanged. Works offline and on a read-only store, and never waits.
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
    let statuses = try statuses(client)
    if statuses.isEmpty { context.console.inform("no models in \(client.folders.store)") }
    for status in statuses {
      for line in StatusLines(status).lines { context.console.print(line) }
      context.console.event("model", StatusLines(status).members)
    }
    context.console.summarize(["models": .integer(Int64(statuses.count))])
    return .done
  }

  private func statuses(_ client: Client) throws -> [ModelStatus] {
    if let model {
      let store = try client.store(having: model)
      client.warnAboutFileSystem(of: store)
      return [try store.model(model).status()]
    }
    guard let store = try Store.open(reading: client.folders.store) else { return [] }
    client.warnAboutFileSystem(of: store)
    return try store.modelNames().map { try store.model($0).status() }
  }
}
