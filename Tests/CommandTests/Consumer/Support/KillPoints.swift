import Foundation
import TestSupport

/// A system call of a run at which a process is to be killed: the call of this name for the n-th time.
struct KillPoint: Hashable, Sendable, CustomStringConvertible {
  let call: String
  let number: Int

  var description: String { "\(call) \(number)" }
}

/// Runs a tool under strace, which kills it at the entry of a system call.
struct KillTracer: Sendable {
  /// The calls that change something, and the end.
  private static let calls = [
    "openat", "openat2", "mkdir", "mkdirat", "write", "pwrite64", "fallocate", "ftruncate",
    "fchmod", "fchmodat", "fsync", "fdatasync", "rename", "renameat", "renameat2", "linkat",
    "symlinkat", "unlink", "unlinkat", "flock", "exit_group",
  ]

  private var strace: Tool
  private let home: ConsumerHome

  /// Whether strace is there and may trace.
  static func isAvailable() async throws -> Bool {
    guard let strace = Tool.installed("strace") else { return false }
    return try await strace.run(["-f", "-qq", "-o", "/dev/null", "/bin/true"]).ending == .exited(0)
  }

  init(_ home: ConsumerHome) throws {
    guard var strace = Tool.installed("strace") else { throw SupportError.noProgram("strace") }
    strace.environment = home.tool.environment
    // The leak checker of the address sanitizer cannot work in a traced process.
    strace.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    strace.timeout = home.tool.timeout
    self.strace = strace
    self.home = home
  }

  /// Runs a command to its end and returns the calls from the first one on that names the store.
  func points(of command: [String]) async throws -> [KillPoint] {
    let log = "\(home.folder)/strace.log"
    let outcome = try await strace.run(
      [
        "-f", "-qq", "-o", log, "-e", "trace=\(Self.calls.joined(separator: ","))", "-e",
        "signal=none",
      ]
        + whole(command)
    )
    guard outcome.ending == .exited(0) else {
      throw SupportError.programFailed("sealift", message: outcome.errors)
    }
    // strace counts for each thread on its own, but all calls may as well come from one.
    var counts: [Substring: Int] = [:]
    var points: [KillPoint] = []
    var hasBegun = false
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      // The number of the thread, padded with spaces, then the call.
      let words = line.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "(" })
      guard words.count == 3, Self.calls.contains(String(words[1])) else { continue }
      let number = counts[words[1], default: 0] + 1
      counts[words[1]] = number
      hasBegun = hasBegun || line.contains("\"\(home.store)")
      if hasBegun { points.append(KillPoint(call: String(words[1]), number: number)) }
    }
    return points
  }

  /// Runs a command that is killed just before the call is made.
  func kill(_ command: [String], at point: KillPoint) async throws -> ToolOutcome {
    try await strace.run(
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(point.call)",
        "-e", "inject=\(point.call):signal=KILL:when=\(point.number)",
      ] + whole(command)
    )
  }

  private func whole(_ command: [String]) -> [String] { [home.tool.path] + command + home.places }
}
