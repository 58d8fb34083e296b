import Glibc
import TestSupport
import Testing

/// A place for commands with mounts of their own, which nothing outside sees.
enum PrivateMounts {
  static let notice: Comment = "needs unshare, and the right to mount"

  /// Whether this process may mount, as root in a container often may not.
  static func areAllowed() async -> Bool {
    guard geteuid() == 0, let unshare = Tool.installed("unshare") else { return false }
    let outcome = try? await unshare.run(["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
    return outcome?.exitCode == 0
  }

  /// Runs a command of `home` where these are all the names there are, each with an address.
  static func run(
    _ command: [String],
    _ home: ConsumerHome,
    names: [(name: String, address: String)]
  ) async throws -> ToolOutcome {
    var shell = try #require(Tool.installed("unshare"))
    shell.environment = home.tool.environment
    shell.timeout = home.tool.timeout
    let lines = names.map { "\($0.address) \($0.name)\n" }.joined()
    let hosts = try home.write(Array(lines.utf8), to: "hosts")
    let script = "mount --bind \(hosts) /etc/hosts && exec \"$@\""
    let words = [home.tool.path] + command + home.places
    return try await shell.run(["-m", "sh", "-c", script, "sh"] + words)
  }
}
