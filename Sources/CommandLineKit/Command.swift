/// One command of a tool: its help, its arguments, and what it does.
package protocol Command: Sendable {
  /// The words that name it on the command line, such as `["key", "new"]`.
  static var name: [String] { get }
  /// What it does, in one line that starts in lower case and has no full stop.
  static var summary: String { get }
  static var help: CommandHelp { get }

  /// Takes the command's arguments, options before operands, and ends with `finish()`.
  ///
  /// It parses and checks, and touches nothing: no file, no clock, no environment.
  init(_ arguments: inout ArgumentReader) throws(UsageError)

  /// Does the work; results and reports go through the context's console.
  ///
  /// Runs in a task that is cancelled when a signal interrupts the tool. Throws what it cannot finish for; the
  /// tool's `explain` puts that into words.
  func run(_ context: CommandContext) async throws -> ExitCode
}

extension Command {
  /// The name as it is typed: `key new`.
  package static var typedName: String { name.joined(separator: " ") }
}

/// What a running command may use of the world around it.
package struct CommandContext: Sendable {
  package let tool: String
  package let version: String
  package let console: Console
  package let globals: GlobalOptions
  /// What the process was given, but for the variables that hold passphrases.
  package let environment: [String: String]
  /// Returns the bytes of a secret variable, once: they are gone from the environment then.
  ///
  /// The caller wipes them.
  package let takeVariable: @Sendable (String) -> [UInt8]?
  package let settings: Settings
  /// Puts any error of the tool into words.
  package let explain: @Sendable (any Error) -> Diagnostic

  package init(
    tool: String,
    version: String,
    console: Console,
    globals: GlobalOptions,
    environment: [String: String],
    takeVariable: (@Sendable (String) -> [UInt8]?)? = nil,
    explain: @escaping @Sendable (any Error) -> Diagnostic
  ) {
    self.tool = tool
    self.version = version
    self.console = console
    self.globals = globals
    self.environment = environment
    self.takeVariable = takeVariable ?? { environment[$0].map { Array($0.utf8) } }
    self.explain = explain
    settings = Settings(environment: environment, explain: explain)
  }
}
