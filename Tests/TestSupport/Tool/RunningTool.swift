import Glibc

/// A child process that was started; it is killed, group and all, when the last handle to it goes.
package final class RunningTool: Sendable {
  private let child: ChildProcess

  init(_ tool: Tool, _ arguments: [String], input: [UInt8]) throws(SupportError) {
    child = try ChildProcess(tool, arguments, input: input)
  }

  deinit { child.signal(SIGKILL, wholeGroup: true) }

  /// The process number, which may belong to another process once this one has ended.
  package var process: Int32 { child.process }

  /// Ends it at once, as a crash does; the corresponding signal is SIGKILL.
  package func kill() { send(SIGKILL) }

  /// Asks it to end; the corresponding signal is SIGTERM.
  package func terminate() { send(SIGTERM) }

  /// Does what Ctrl-C does; the corresponding signal is SIGINT.
  package func interrupt() { send(SIGINT) }

  /// Sends a signal to the process, not to its children; nothing happens once it has ended.
  package func send(_ signal: Int32) { child.signal(signal, wholeGroup: false) }

  /// Ends it and what is left of its process group.
  package func killGroup() { child.signal(SIGKILL, wholeGroup: true) }

  /// Waits for its end; whatever it wrote before is in the outcome.
  package func wait() async -> ToolOutcome { await child.state.outcome() }

  /// Whether it has not ended yet.
  package var isRunning: Bool { child.state.isRunning }

  /// What it wrote to its standard output so far.
  package var standardOutput: [UInt8] { child.state.written.output }

  /// What it wrote to its standard error so far.
  package var standardError: [UInt8] { child.state.written.errors }

  /// Waits until its standard output so far, as text, meets `condition`; false if it ends without.
  package func waitForOutput(
    _ condition: @escaping @Sendable (String) -> Bool
  ) async -> Bool {
    await child.state.wait { condition(String(decoding: $0.output, as: UTF8.self)) }
  }

  /// Waits until its standard error so far, as text, meets `condition`; false if it ends without.
  package func waitForErrors(
    _ condition: @escaping @Sendable (String) -> Bool
  ) async -> Bool {
    await child.state.wait { condition(String(decoding: $0.errors, as: UTF8.self)) }
  }
}
