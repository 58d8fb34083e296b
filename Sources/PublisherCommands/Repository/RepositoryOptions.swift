import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Trust

/// The options of every command that changes a repository.
struct RepositoryOptions: Sendable {
  static let help: [OptionHelp] =
    SeveralSigners.help + [
      OptionHelp(
        "--lifetime",
        value: "ROLE=SPAN",
        occurrence: .repeatable,
        "how long what this run signs is good, and no later one: root 365d, targets and snapshot 3650d, timestamp 30d by default"
      ),
      OptionHelp("--stage", "leaves a change that lacks signatures for others to sign"),
    ]

  let signers: SeveralSigners
  let lifetimes: RoleLifetimes
  let allowsStaging: Bool

  /// Options with which nothing is made anew but what is signed.
  init(signers: SeveralSigners) {
    (self.signers, lifetimes, allowsStaging) = (signers, RoleLifetimes(), false)
  }

  /// Takes the options off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    signers = try SeveralSigners(&arguments)
    var lifetimes = RoleLifetimes()
    for (role, seconds) in try arguments.options("--lifetime", { try readLifetime($0) }) {
      switch role {
      case "root": lifetimes.root = seconds
      case "targets": lifetimes.targets = seconds
      case "snapshot": lifetimes.snapshot = seconds
      default: lifetimes.timestamp = seconds
      }
    }
    self.lifetimes = lifetimes
    allowsStaging = try arguments.flag("--stage")
  }
}

/// Reads a span of whole seconds.
func readSpan(_ text: String) throws(UsageError) -> Int64 {
  let seconds = try parseDuration(text).components.seconds
  guard seconds <= 100 * 365 * 86_400 else { throw UsageError("\(quoted(text)) is too long") }
  return seconds
}

private func readLifetime(_ text: String) throws(UsageError) -> (role: String, seconds: Int64) {
  let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
  guard parts.count == 2, ["root", "targets", "snapshot", "timestamp"].contains(parts[0]) else {
    throw UsageError(
      "\(quoted(text)) is no role with its lifetime",
      helps: ["write root, targets, snapshot or timestamp, an equals sign and a span: timestamp=7d"]
    )
  }
  let seconds = try readSpan(parts[1])
  guard seconds >= 60 else { throw UsageError("\(quoted(text)) is shorter than a minute") }
  return (parts[0], seconds)
}

/// One version of a model on the command line: `lfm2-2.6b@1.0.0`.
struct ReleaseReference: Equatable, Sendable {
  let model: ModelName
  let version: Version

  init(_ text: String) throws {
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      throw UsageError("\(quoted(text)) has no version", helps: ["write MODEL@VERSION"])
    }
    model = try ModelName(String(text[..<at]))
    version = try Version(String(text[text.utf8.index(after: at)...]))
  }
}
