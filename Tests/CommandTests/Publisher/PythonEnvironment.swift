import Foundation
import TestSupport
import Testing

/// The Python environment that `scripts/python-environment` makes, with independent implementations.
enum PythonEnvironment {
  static let notice: Comment = "needs .cache/python, which scripts/python-environment makes"

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appending(path: ".cache/python")

  /// Whether the environment is there with all its packages.
  static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: ".packages").path)
  }

  /// Runs a script in the folder of the running test.
  static func run(_ script: String, _ arguments: String...) async throws -> ToolOutcome {
    var python = Tool(path: folder.appending(path: "bin/python").path)
    python.folder = TemporaryFolder.current
    return try await python.run(["-c", script] + arguments)
  }
}
