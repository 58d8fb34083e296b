import CommandLineKit
import Manifests
import StrictJSON
import SystemFiles

/// Asks a program for its version, and states that.
struct RuntimeProbeCommand: Command {
  private static let milliseconds = 5_000
  /// What a program is given of this one's environment.
  private static let variables = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR"]

  static let name = ["runtime", "probe"]
  static let summary = "runs a program with --version, and states the runtime that it says it is"
  static let help = CommandHelp(
    operands: [OperandHelp("PROGRAM", "the path of the program, as /usr/bin/llama-server")],
    options: [
      OptionHelp(
        "--name",
        value: "NAME",
        "the runtime that the program is, where its name does not tell"
      )
    ],
    details: [
      "The program is run, with your rights, for at most 5 seconds; nothing else ever runs one. What it prints is "
        + "searched for a version."
    ],
    examples: [
      ExampleHelp("sealift runtime probe /usr/bin/llama-server", "states the build that it shows")
    ]
  )

  private let program: String
  private let stated: RuntimeName?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    stated = try arguments.option("--name") { try RuntimeName($0) }
    program = try arguments.operand("PROGRAM") { $0 }
    try arguments.finish()
    guard program.utf8.contains(UInt8(ascii: "/")) else {
      throw UsageError(
        "\(quoted(program)) is no path",
        helps: ["name the program by its path, as ./\(program) or /usr/bin/\(program)"]
      )
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    // A program that is not there is told first, whatever its name.
    try requireProgram(program)
    let runtime = try runtime()
    let client = try Client(context)
    _ = try client.statedRuntimes()
    let version = try version(of: runtime, context)
    try client.runtimes.set([
      StatedHost(statement: RuntimeStatement(name: runtime, version: version))
    ])
    context.console.print("\(runtime) is \(version)")
    context.console.summarize(["runtimes": .object([runtime.text: .string(version)])])
    return .done
  }

  private func runtime() throws(UsageError) -> RuntimeName {
    let name = splitPath(program).name
    guard let runtime = stated ?? RuntimeStatement.runtime(ofProgram: name) else {
      throw UsageError(
        "\(quoted(name)) is no program of a known runtime",
        helps: ["--name NAME says which"]
      )
    }
    return runtime
  }

  private func version(of runtime: RuntimeName, _ context: CommandContext) throws -> String {
    let environment = Self.variables.compactMap { name in
      context.environment[name].map { "\(name)=\($0)" }
    }
    let output: ProgramOutput
    do throws(ProgramOutput.Failure) {
      output = try ProgramOutput(
        of: program,
        runtime.text == "macos" ? ["-productVersion"] : ["--version"],
        environment: environment,
        milliseconds: Self.milliseconds
      )
    } catch {
      switch error {
      case .notStarted(let error): throw error
      case .timeout:
        throw Diagnostic(
          .localFailure,
          kind: .probeTimeout,
          "\(program) did not end within 5 seconds",
          helps: ["state the version yourself: sealift runtime set \(runtime)=VERSION"]
        )
      }
    }
    guard let version = RuntimeStatement.version(inOutput: output.bytes) else {
      throw Diagnostic(
        .unusable,
        kind: .noVersion,
        "\(program) does not tell its version",
        helps: ["state it yourself: sealift runtime set \(runtime)=VERSION"]
      )
    }
    return version
  }
}
