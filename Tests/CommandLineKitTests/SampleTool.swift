import CommandLineKit
import StrictJSON

/// A small tool with one command of each kind.
let sampleTable = CommandTable(
  tool: "sample",
  version: "1.2.3",
  summary: "shows what the kit can do",
  globals: GlobalOption.allCases,
  sections: [
    CommandTable.Section("Keys", [KeyNew.self, KeyShow.self]),
    CommandTable.Section("Work", [Build.self, Wait.self, Fail.self, Exec.self]),
  ]
)

struct SampleError: Error { let word: String }

@Sendable func explainSample(_ error: any Error) -> Diagnostic {
  guard let error = error as? SampleError else {
    return Diagnostic(.internalError, "unexpected: \(error)")
  }
  return Diagnostic(.notAccepted, kind: .policy, "refused \(error.word)")
}

/// Runs the sample tool and keeps what it writes.
struct SampleRun {
  let output: CapturedOutput
  let errors = CapturedOutput()
  let exitCode: ExitCode

  init(
    _ arguments: String...,
    environment: [String: String] = [:],
    output: CapturedOutput = CapturedOutput(),
    interruption: Interruption = Interruption()
  ) async {
    self.output = output
    let surroundings = Surroundings(
      arguments: arguments,
      environment: environment,
      output: output,
      errors: errors,
      interruption: interruption
    )
    exitCode = await runTool(sampleTable, in: surroundings, explain: explainSample)
  }
}

struct KeyNew: Command {
  static let name = ["key", "new"]
  static let summary = "makes a key pair"
  static let help = CommandHelp(
    operands: [OperandHelp("NAME", "the name of the key")],
    options: [
      OptionHelp("--dir", value: "DIR", "the folder that gets the files, keys by default"),
      OptionHelp("--no-passphrase", "leaves the private key unencrypted"),
    ],
    details: ["The private key is encrypted with a passphrase that is asked for on the terminal."],
    examples: [ExampleHelp("sample key new release --dir keys", "makes keys/release.key")]
  )
  private let keyName: String
  private let directory: String
  private let isPlain: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    directory = try arguments.option("--dir") { $0 } ?? "keys"
    isPlain = try arguments.flag("--no-passphrase")
    keyName = try arguments.operand("NAME") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    context.console.print("\(directory)/\(keyName)\(isPlain ? " plain" : "")")
    context.console.summarize(["name": .string(keyName)])
    return .done
  }
}

struct KeyShow: Command {
  static let name = ["key", "show"]
  static let summary = "shows a public key"
  static let help = CommandHelp(
    operands: [OperandHelp("FILE", arity: .optional, "a public key")],
    examples: [ExampleHelp("sample key show a.pub", "prints the fingerprint")]
  )

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    _ = try arguments.optionalOperand("FILE") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode { .findings }
}

struct Build: Command {
  static let name = ["build"]
  static let summary = "writes the manifest of a release"
  static let help = CommandHelp(
    operands: [OperandHelp("PATH", arity: .atLeastOne, "files, or one directory")],
    options: [
      OptionHelp("--model", value: "MODEL", occurrence: .required, "the name of the model"),
      OptionHelp("--version", value: "VERSION", occurrence: .required, "its version"),
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "where the files can be fetched; {sha256} and {name} stand for a file's digest and name"
      ),
      OptionHelp("--jobs", value: "COUNT", "how many files are read at once"),
    ],
    examples: [
      ExampleHelp("sample build a.gguf --model a --version 1.0.0 > a.json", "seals one file"),
      ExampleHelp("sample build . --model 'x y' --version 1.0.0", "seals a folder"),
    ]
  )
  private let version: String
  private let jobs: Int?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    _ = try arguments.requiredOption("--model") { $0 }
    version = try arguments.requiredOption("--version") { $0 }
    _ = try arguments.options("--mirror") { $0 }
    jobs = try arguments.option("--jobs") { try parseCount($0, in: 1...64) }
    _ = try arguments.operands("PATH", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let jobs = try context.settings.value("jobs", flag: jobs) { try parseCount($0, in: 1...64) }
    context.console.print("\(version) \(jobs ?? 1) \(context.globals.store ?? "-")")
    return .done
  }
}

struct Wait: Command {
  static let name = ["wait"]
  static let summary = "waits until it is interrupted"
  static let help = CommandHelp(
    options: [OptionHelp("--fail", "ends with another error")],
    examples: [ExampleHelp("sample wait", "waits")],
    goingOn: "run sample resume"
  )
  private let fails: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    fails = try arguments.flag("--fail")
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    do { try await Task.sleep(for: .seconds(3600)) } catch {
      throw fails ? SampleError(word: "half") : error
    }
    return .done
  }
}

struct Fail: Command {
  static let name = ["fail"]
  static let summary = "fails in the way that is asked for"
  static let help = CommandHelp(
    operands: [OperandHelp("WAY", "usage, diagnostic, cancel, or anything else")],
    examples: [ExampleHelp("sample fail usage", "fails")]
  )
  private let way: String

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    way = try arguments.operand("WAY") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    switch way {
    case "usage": throw UsageError("too late")
    case "diagnostic": throw Diagnostic(.busy, "held")
    case "cancel": throw CancellationError()
    default: throw SampleError(word: way)
    }
  }
}

struct Exec: Command {
  static let name = ["exec"]
  static let summary = "runs a program with a model"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL", "an installed model"),
      OperandHelp("COMMAND", arity: .trailing, "the program and its arguments"),
    ],
    examples: [ExampleHelp("sample exec a -- llama-cli --help", "runs llama-cli")]
  )
  private let words: [String]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let model = try arguments.operand("MODEL") { $0 }
    words = try [model] + arguments.trailing("COMMAND")
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    context.console.print(words.joined(separator: " "))
    return .done
  }
}
