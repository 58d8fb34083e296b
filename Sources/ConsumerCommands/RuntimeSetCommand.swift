import CommandLineKit
import Manifests
import StrictJSON

/// States which runtimes this client has.
struct RuntimeSetCommand: Command {
  static let name = ["runtime", "set"]
  static let summary = "states the runtimes that this client has, for every later command"
  static let help = CommandHelp(
    operands: [
      OperandHelp("NAME=VERSION", arity: .atLeastOne, "a runtime and its version, as it shows it")
    ],
    examples: [
      ExampleHelp("sealift runtime set llama.cpp=b5873", "states the build of llama.cpp")
    ]
  )

  private let statements: [RuntimeStatement]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    statements = try arguments.operands("NAME=VERSION", atLeast: 1) { try RuntimeStatement($0) }
    try arguments.finish()
    guard Set(statements.map(\.name)).count == statements.count else {
      throw UsageError("a runtime is stated twice")
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    _ = try client.statedRuntimes()
    try client.runtimes.set(statements)
    for statement in statements {
      context.console.print("\(statement.name) is \(statement.version)")
    }
    var runtimes: JSONObject = [:]
    for statement in statements { runtimes[statement.name.text] = .string(statement.version) }
    context.console.summarize(["runtimes": .object(runtimes)])
    return .done
  }
}
