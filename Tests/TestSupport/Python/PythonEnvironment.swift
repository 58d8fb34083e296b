import Foundation
package import Testing

/// The Python environment that `scripts/python-environment` makes, with independent implementations.
package enum PythonEnvironment {
  package static let notice: Comment =
    "needs .cache/python, which scripts/python-environment makes"

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appending(path: ".cache/python")

  /// Whether the environment is there with all its packages.
  package static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: ".packages").path)
  }

  /// The interpreter of the environment.
  package static var python: Tool { Tool(path: folder.appending(path: "bin/python").path) }

  /// The path of a server among `Tests/Servers`.
  static func server(_ name: String) -> String {
    root.appending(path: "Tests/Servers/\(name)").path
  }

  /// Runs a program among the tests, which finds the sample repositories of python-tuf by `TUF_SAMPLES`.
  package static func judge(
    _ program: String,
    _ arguments: [String],
    timeout: Duration = .seconds(1200)
  ) async throws -> ToolOutcome {
    var python = python
    python.environment["TUF_SAMPLES"] = folder.appending(path: "share/tuf").path
    python.timeout = timeout
    return try await python.run([root.appending(path: "Tests/\(program)").path] + arguments)
  }

  /// Runs a script in the folder of the running test.
  package static func run(_ script: String, _ arguments: String...) async throws -> ToolOutcome {
    var python = python
    python.folder = TemporaryFolder.current
    return try await python.run(["-c", script] + arguments)
  }
}
