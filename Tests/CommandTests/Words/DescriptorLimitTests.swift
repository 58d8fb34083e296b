import Glibc
import TestSupport
import Testing

/// What the tools do where a process may open hardly any file.
@Suite(.temporaryFolder)
struct DescriptorLimitTests {
  private func run(_ tool: String, _ limit: String, as prefix: String = "") async throws
    -> ToolOutcome
  {
    var shell = Tool(path: "/bin/bash")
    shell.folder = TemporaryFolder.current
    let path = try Tool.built(tool).path
    return try await shell.run([
      "-c", "ulimit \(limit) && exec \(prefix) '\(path)' explain noSpace",
    ])
  }

  @Test(arguments: ["sealift", "sealift-publish"], ["-Sn 4", "-Sn 5", "-Sn 6", "-Sn 7", "-Sn 12"])
  func `a soft limit is raised`(tool: String, limit: String) async throws {
    let outcome = try await run(tool, limit)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  @Test(arguments: ["sealift", "sealift-publish"], [4, 5, 6, 7, 12])
  func `a hard limit is an error and no trap`(tool: String, limit: Int) async throws {
    // Root may raise a hard limit; who has given up all rights of root may not.
    let prefix = getuid() == 0 ? "setpriv --bounding-set=-all --" : ""
    let outcome = try await run(tool, "-n \(limit)", as: prefix)
    #expect(outcome.ending == .exited(8), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: this process may open too few files\n"))
    #expect(outcome.errors.contains("  help: ulimit -n 256 raises the limit"))
  }
}
