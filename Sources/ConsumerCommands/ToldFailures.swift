import CommandLineKit

/// Tells what fails with one of several things, which stops no other, and keeps the exit code of the first.
struct ToldFailures {
  private let console: Console
  private(set) var code: ExitCode?

  init(_ console: Console) { self.console = console }

  /// Tells an error; an interruption ends the command.
  mutating func add(_ error: any Error) throws {
    if error is CancellationError { throw error }
    let reason = ConsumerTool.explain(error)
    console.report(reason)
    code = code ?? reason.exitCode
  }
}
