import CommandLineKit
import Manifests
import StrictJSON

/// States which runtimes this client has.
struct RuntimeSetCommand: Command {
  static let name = ["runtime", "set"]
  static let summary = "states the runtimes that this client has, for every later command"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "NAME=VERSION",
        arity: .atLeastOne,
        "a runtime and its version, as it shows it; NAME VERSION says the same of one"
      )
    ],
    options: [
      OptionHelp(
        "--provides",
        value: "NAME=VERSION",
        occurrence: .repeatable,
        "a runtime that the one application named embeds"
      )
    ],
    examples: [
      ExampleHelp("sealift runtime set llama.cpp b10573", "states the build of llama.cpp"),
      ExampleHelp(
        "sealift runtime set myapp=3.1 --provides llama.cpp=b10488",
        "states an application and the llama.cpp inside it"
      ),
    ]
  )

  private let hosts: [StatedHost]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let provides = try arguments.options("--provides") { try RuntimeStatement($0) }
    let words = try arguments.operands("NAME=VERSION", atLeast: 1) { $0 }
    try arguments.finish()
    let statements = try Self.statements(words)
    guard Set(statements.map(\.name)).count == statements.count,
      Set(provides.map(\.name)).count == provides.count
    else { throw UsageError("a runtime is stated twice") }
    for statement in statements + provides where !statement.isReadable {
      throw UsageError(
        "\(quoted(statement.version)) is no version of \(statement.name)",
        helps: ["give it as the runtime shows it, as b10573, 1.32.0 or 17.4"]
      )
    }
    guard provides.isEmpty || statements.count == 1 else {
      throw UsageError("--provides speaks of one application, and several are named")
    }
    hosts = statements.map { StatedHost(statement: $0, provides: provides) }
  }

  /// Reads `NAME=VERSION` words, or the two words `NAME VERSION`.
  private static func statements(_ words: [String]) throws(UsageError) -> [RuntimeStatement] {
    var texts = words
    if words.count == 2, !words[0].utf8.contains(UInt8(ascii: "=")) {
      texts = ["\(words[0])=\(words[1])"]
    }
    do {
      return try texts.map { try RuntimeStatement($0) }
    } catch {
      throw UsageError("\(error)", helps: ["write NAME=VERSION, as llama.cpp=b10573"])
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    _ = try client.statedRuntimes()
    try client.runtimes.set(hosts)
    var runtimes: JSONObject = [:]
    for host in hosts {
      let provided = host.provides.map { ", with \($0.name) \($0.version)" }.joined()
      context.console.print("\(host.statement.name) is \(host.statement.version)\(provided)")
      runtimes[host.statement.name.text] = .string(host.statement.version)
      for inner in host.provides { runtimes[inner.name.text] = .string(inner.version) }
    }
    context.console.summarize(["runtimes": .object(runtimes)])
    return .done
  }
}
