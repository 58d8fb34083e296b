import CommandLineKit
import Manifests
import StrictJSON

/// Shows which runtimes this client states.
struct RuntimeListCommand: Command {
  static let name = ["runtime", "list"]
  static let summary = "shows the runtimes that this client states"
  static let help = CommandHelp(
    examples: [ExampleHelp("sealift runtime list", "shows what runtime set has stated")])

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let statements = try client.statedRuntimes()
    if statements.isEmpty { context.console.inform("no runtime is stated") }
    for statement in statements {
      context.console.print("\(statement.name)=\(statement.version)")
      context.console.event(
        "runtime",
        ["name": .string(statement.name.text), "version": .string(statement.version)]
      )
    }
    return .done
  }
}
