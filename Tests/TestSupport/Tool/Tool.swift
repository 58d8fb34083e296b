import Foundation

/// A program and the surroundings in which tests run it.
package struct Tool: Hashable, Sendable {
  package let path: String
  /// The whole environment of the child; that of the tests unless changed.
  package var environment: [String: String]
  /// The working folder of the child; nil for that of the tests.
  package var folder: String?
  /// The time after which a child is killed; it then ends with ``ToolOutcome/Ending/timedOut``.
  package var timeout: Duration
  /// Whether it ends with the tests even where they crash, and takes its own children with it.
  ///
  /// It then gets no input. For servers, which would go on for ever.
  package var isTiedToTests = false

  package init(path: String, timeout: Duration = .seconds(300)) {
    self.path = path
    self.timeout = timeout
    environment = ProcessInfo.processInfo.environment
  }

  /// The executable of this package with this name, as it was built with the running tests.
  package static func built(_ name: String) throws(SupportError) -> Tool {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else { throw .noProgram(name) }
    return Tool(path: path)
  }

  /// The installed program of this name: in a folder of PATH, else in one of the system's; nil if there is none.
  package static func installed(_ name: String) -> Tool? {
    let searched = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = searched.split(separator: ":").map(String.init)
    return (folders + ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"])
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { Tool(path: $0) }
  }

  /// Runs the program to its end and collects all it writes.
  ///
  /// It is killed, with the children that it left in its process group, when its time is over or the task is
  /// cancelled.
  package func run(
    _ arguments: [String] = [],
    input: [UInt8] = []
  ) async throws(SupportError) -> ToolOutcome {
    let running = try start(arguments, input: input)
    return await withTaskCancellationHandler {
      await running.wait()
    } onCancel: {
      running.killGroup()
    }
  }

  /// Starts the program and returns at once; whoever drops the handle kills the program.
  package func start(
    _ arguments: [String] = [],
    input: [UInt8] = []
  ) throws(SupportError) -> RunningTool {
    try RunningTool(self, arguments, input: input)
  }

  /// The program and arguments to spawn: for a tied tool, a shell that leaves a guard behind and becomes the tool.
  ///
  /// The guard reads the pipe that was to be the tool's input, whose other end the tests hold until they end.
  func command(_ arguments: [String]) -> (path: String, arguments: [String]) {
    guard isTiedToTests else { return (path, [path] + arguments) }
    let script = """
      exec 3<&0; { while read -r _ <&3; do :; done; kill -9 $$; } & exec "$0" "$@" 3<&- </dev/null
      """
    return ("/bin/sh", ["/bin/sh", "-c", script, path] + arguments)
  }
}
