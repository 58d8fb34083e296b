import Foundation
import TestSupport

/// A system call of a run that touched the watched folder, such as the store: the n-th of all such calls, whichever thread made it.
struct StoreCall: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let name: String
  /// The paths beneath the folder that it was given.
  let paths: [String]
  /// The how many-th call of this name it is.
  let numberOfName: Int

  var description: String { "\(number) \(name) \(paths.joined(separator: " "))" }

  /// Whether it may change something, or end the program.
  var changes: Bool {
    ![
      "read", "pread64", "getdents64", "fcntl", "ioctl", "openat", "fadvise64", "sync_file_range",
    ].contains(name)
  }
}

/// What is done to a system call.
enum Strike: Hashable, Sendable, CustomStringConvertible {
  case kill
  /// The call fails.
  case error(Int32)
  /// The call is not made and claims this result.
  case claim(Int)
  /// A write is made of so many bytes at most.
  case shorten(Int)
  /// `openat2` is made without these flags.
  case withhold(Int)
  /// A shell command runs before the call, or after it.
  case before(String)
  case after(String)

  var description: String {
    switch self {
    case .kill: "kill"
    case .error(let code): "error:\(code)"
    case .claim(let result): "return:\(result)"
    case .shorten(let count): "shorten:\(count)"
    case .withhold(let flags): "withhold:\(flags)"
    case .before(let command): "before:\(command)"
    case .after(let command): "after:\(command)"
    }
  }
}

/// A strike and the calls that it is meant for.
struct StrikeRule: Hashable, Sendable {
  /// The name of the calls, `*` for all.
  var name = "*"
  var calls: ClosedRange<Int>
  let strike: Strike

  /// Strikes the n-th call that touches the store.
  init(_ strike: Strike, at number: Int) {
    self.strike = strike
    calls = number...number
  }

  /// Strikes calls of one name; without a range, all of them.
  init(_ strike: Strike, _ name: String, _ calls: ClosedRange<Int> = 1...0x7fff_ffff) {
    (self.strike, self.name, self.calls) = (strike, name, calls)
  }

  /// Strikes the call of the same name and number among those of its name: that varies least from run to run, even where
  /// several threads call.
  init(_ strike: Strike, like call: StoreCall) {
    self.init(strike, call.name, call.numberOfName...call.numberOfName)
  }

  fileprivate var text: String { "\(name):\(calls.lowerBound):\(calls.upperBound):\(strike)" }
}

/// Runs a tool so that chosen system calls of it are struck.
///
/// `Tests/CallStriker` is the tracer. Unlike strace it counts the calls of all threads together, and only those that
/// touch a folder, so that the n-th call of a run is the n-th call of the next.
struct CallStriker: Sendable {
  private var striker: Tool
  private let folder: String
  private let log: String
  /// Puts the path of the program, and what else belongs there, before the arguments of a command.
  private let commandLine: @Sendable ([String]) -> [String]
  /// Folders of which a call counts too.
  var folders: [String] = []

  /// Whether this process may trace another.
  static func isAvailable() async throws -> Bool {
    let log = "\(NSTemporaryDirectory())/striker-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let striker = try Tool.built("call-striker")
    let outcome = try await striker.run(["--folder", "/usr", "--log", log, "--", "/bin/true"])
    let isRun = outcome.ending == .exited(0)
    if !isRun { print("notice: no system call is struck: \(outcome.errors)") }
    return isRun
  }

  /// Strikes what `sealift` does in the store of `home`.
  init(_ home: ConsumerHome, log name: String = "calls.log") throws {
    try self.init(home.tool, watching: home.store, log: "\(home.folder)/\(name)") {
      [home.tool.path] + home.prefix + home.placed($0)
    }
  }

  /// Strikes what `tool` does in a folder.
  init(
    _ tool: Tool,
    watching folder: String,
    log: String,
    commandLine: (@Sendable ([String]) -> [String])? = nil
  ) throws {
    striker = try Tool.built("call-striker")
    striker.environment = tool.environment
    // The leak checker of the address sanitizer cannot work in a traced process.
    striker.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    striker.folder = tool.folder
    striker.timeout = tool.timeout
    (self.folder, self.log) = (folder, log)
    self.commandLine = commandLine ?? { [tool.path] + $0 }
  }

  /// Runs a command to its end, or where a rule stops it, and returns what it did.
  func run(_ command: [String], _ rules: [StrikeRule] = []) async throws -> ToolOutcome {
    try await striker.run(arguments(command, rules))
  }

  /// Starts a command and returns at once.
  func start(_ command: [String], _ rules: [StrikeRule] = []) throws -> RunningTool {
    try striker.start(arguments(command, rules))
  }

  private func arguments(_ command: [String], _ rules: [StrikeRule]) -> [String] {
    ([folder] + folders).flatMap { ["--folder", $0] } + ["--log", log]
      + rules.flatMap { ["--rule", $0.text] } + ["--"] + commandLine(command)
  }

  /// The calls of the last run that touched the folder, in their order.
  func calls() throws -> [StoreCall] {
    var counts: [String: Int] = [:]
    return try lines().compactMap { words in
      guard words.count > 1, let number = Int(words[0]) else { return nil }
      counts[words[1], default: 0] += 1
      return StoreCall(
        number: number,
        name: words[1],
        paths: words.dropFirst(2).map { $0.replacingOccurrences(of: folder + "/", with: "") },
        numberOfName: counts[words[1]] ?? 0
      )
    }
  }

  /// The domains of the sockets that the last run opened.
  func sockets() throws -> [Int] {
    try lines().compactMap { words in
      words.count == 3 && words[1] == "socket" ? Int(words[2]) : nil
    }
  }

  private func lines() throws -> [[String]] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
  }
}
