import Glibc
import StrictJSON

/// Runs a tool with the arguments, environment and descriptors of this process; `Main.swift` exits with the answer.
///
/// `explain` puts every error that a command may throw into words.
package func runTool(
  _ table: CommandTable,
  explain: @escaping @Sendable (any Error) -> Diagnostic
) async -> ExitCode {
  occupyStandardDescriptors()
  var surroundings = Surroundings(
    arguments: [],
    output: DescriptorSink(STDOUT_FILENO),
    errors: DescriptorSink(STDERR_FILENO),
    isErrorTerminal: isTerminal(STDERR_FILENO)
  )
  do { try requireDescriptorRoom() } catch {
    surroundings.console(GlobalOptions()).report(error)
    return error.exitCode
  }
  surroundings.takeVariable = takeProcessVariable
  surroundings.interruption.watchSignals()
  do {
    surroundings.arguments = try processArguments()
    surroundings.environment = try processEnvironment(namedIn: surroundings.arguments)
  } catch {
    surroundings.console(GlobalOptions()).report(error.diagnostic())
    return .usage
  }
  return await runTool(table, in: surroundings, explain: explain)
}

/// Runs a tool in the given surroundings.
///
/// Parses global options and the command's words, runs the command in a task of its own, reports what it throws, and
/// returns the exit code. Never throws, and writes through a ``Console`` only.
package func runTool(
  _ table: CommandTable,
  in surroundings: Surroundings,
  explain: @escaping @Sendable (any Error) -> Diagnostic
) async -> ExitCode {
  var arguments = ArgumentReader(surroundings.arguments, explain: explain)
  let settings = Settings(environment: surroundings.environment, explain: explain)
  let globals: GlobalOptions
  do { globals = try GlobalOptions(table, &arguments, settings) } catch {
    // The console that was asked for is not known yet; whoever wrote --json gets JSON all the same.
    var fallback = GlobalOptions()
    fallback.isJSON = surroundings.arguments.prefix { $0 != "--" }.contains("--json")
    return refuse(error, table.overviewUsage, surroundings.console(fallback))
  }
  let console = surroundings.console(globals, explainedBy: table)
  let request: ToolRequest
  do { request = try ToolRequest(table, &arguments) } catch {
    return refuse(error, table.overviewUsage, console)
  }
  let context = CommandContext(
    tool: table.tool,
    version: table.version,
    console: console,
    globals: globals,
    environment: surroundings.environment,
    takeVariable: surroundings.takeVariable,
    explain: explain
  )
  let exitCode: ExitCode
  switch request {
  case .show(let text): exitCode = show(text, console)
  case .missingCommand: exitCode = showOverview(table, console)
  case .run(let type):
    exitCode = await run(type, arguments, table, context, surroundings.interruption)
  }
  return end(exitCode, console)
}

private func show(_ text: String, _ console: Console) -> ExitCode {
  console.event("help", ["text": .string(text)])
  console.printVerbatim(Array(text.utf8))
  return .done
}

private func showOverview(_ table: CommandTable, _ console: Console) -> ExitCode {
  let error = UsageError("a command is missing", helps: ["\(table.tool) --help lists the commands"])
  if console.style.isJSON {
    console.report(error.diagnostic())
  } else {
    console.sayVerbatim(table.overview)
  }
  return .usage
}

private func refuse(_ error: UsageError, _ usage: String, _ console: Console) -> ExitCode {
  console.report(error.diagnostic(usage: usage))
  return end(.usage, console)
}

/// Ends the output; a result that could not be written is a failure, whatever the command said.
private func end(_ exitCode: ExitCode, _ console: Console) -> ExitCode {
  console.endProgress()
  console.finish(exitCode)
  guard exitCode == .done || exitCode == .findings else { return exitCode }
  guard let code = console.outputFailure else {
    if console.isOutputClosed { tellWritten(console) }
    return exitCode
  }
  let reason = unsafe String(cString: strerror(code))
  console.report(
    Diagnostic(
      .localFailure,
      kind: .outputFailed,
      "the results cannot be written to standard output",
      notes: [reason, "the command itself is done"] + console.writtenLines
    )
  )
  return .localFailure
}

/// Tells what was written where the results went to a pipe that nobody reads.
private func tellWritten(_ console: Console) {
  for line in console.writtenLines { console.inform(line) }
}

private func run(
  _ type: any Command.Type,
  _ arguments: ArgumentReader,
  _ table: CommandTable,
  _ context: CommandContext,
  _ interruption: Interruption
) async -> ExitCode {
  let command: any Command
  do {
    var arguments = arguments
    command = try type.init(&arguments)
  } catch {
    context.console.report(error.diagnostic(usage: table.usage(of: type)))
    return .usage
  }
  let work = Task(executorPreference: CommandThread()) { try await command.run(context) }
  interruption.onInterrupt {
    context.console.endProgress()
    context.console.inform("stopping; interrupt again to end at once")
    work.cancel()
  }
  do { return try await work.value } catch {
    let isStopped = interruption.isInterrupted || error is CancellationError
    let diagnostic =
      isStopped
      ? interrupted(by: error, type, context)
      : described(error, usage: table.usage(of: type), context)
    context.console.report(diagnostic)
    return diagnostic.exitCode
  }
}

private func described(
  _ error: any Error,
  usage: String,
  _ context: CommandContext
) -> Diagnostic {
  if let error = error as? UsageError { return error.diagnostic(usage: usage) }
  return error as? Diagnostic ?? context.explain(error)
}

/// What an interrupted command reports: an error that is not just the interruption stays visible as a note.
private func interrupted(
  by error: any Error,
  _ type: any Command.Type,
  _ context: CommandContext
) -> Diagnostic {
  var notes: [String] = []
  if !(error is CancellationError) {
    let cause = error as? Diagnostic ?? context.explain(error)
    if cause.exitCode != .interrupted { notes = [cause.message] + cause.notes }
  }
  return Diagnostic(
    .interrupted,
    "interrupted",
    notes: notes,
    helps: ["to go on, \(type.help.goingOn)"]
  )
}
