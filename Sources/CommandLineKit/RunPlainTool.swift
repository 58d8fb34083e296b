import Glibc

/// Runs a tool without commands, options of its own and console: it does one thing and says on standard error what failed.
///
/// Made for tools whose protocol others have laid down. `run` gets the arguments; an interruption cancels its task.
/// - Returns: ``ExitCode/done``, or ``ExitCode/internalError`` for whatever went wrong.
package func runPlainTool(
  explain: @escaping @Sendable (any Error) -> Diagnostic,
  _ run: @escaping @Sendable ([String]) async throws -> Void
) async -> ExitCode {
  occupyStandardDescriptors()
  let interruption = Interruption()
  do {
    try requireDescriptorRoom()
    interruption.watchSignals()
    let arguments = try processArguments()
    let work = Task(executorPreference: CommandThread()) { try await run(arguments) }
    interruption.onInterrupt { work.cancel() }
    try await work.value
    return .done
  } catch {
    let diagnostic =
      switch error {
      case let error as Diagnostic: error
      case let error as UsageError: error.diagnostic()
      default: explain(error)
      }
    let text = diagnostic.lines().map { $0 + "\n" }.joined()
    // Nobody may be there to read it.
    try? DescriptorSink(STDERR_FILENO).write(Array(text.utf8))
    return .internalError
  }
}
