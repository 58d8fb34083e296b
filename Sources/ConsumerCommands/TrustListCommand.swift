import Digests
import CommandLineKit
import Signatures
import StrictJSON
import Trust

/// Shows which keys may sign which models.
struct TrustListCommand: Command {
  static let name = ["trust", "list"]
  static let summary = "shows which keys may sign which models"
  static let help = CommandHelp(
    examples: [ExampleHelp("sealift trust list", "shows every rule, the most specific first")])

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let policy = try client.policy()
    if policy.rules.isEmpty { context.console.inform("nothing is trusted: \(client.trust.path)") }
    for rule in policy.rules {
      context.console.print("\(rule.models.text): \(rule.threshold) of \(rule.keys.count)")
      for key in rule.keys.compactMap({ policy.keys[$0] }) {
        context.console.print("  \(key.fingerprint)  \(line(about: key, in: policy))")
      }
      context.console.event("rule", members(of: rule))
    }
    for (digest, reason) in policy.withdrawnManifests.sorted(by: { $0.key.hex < $1.key.hex }) {
      context.console.print("withdrawn manifest \(digest): \(reason)")
    }
    context.console.summarize(["rules": .integer(Int64(policy.rules.count))])
    return .done
  }

  private func line(about key: TrustedKey, in policy: TrustPolicy) -> String {
    if let reason = policy.withdrawnKeys[key.fingerprint] {
      return "\(key.name), withdrawn: \(reason)"
    }
    return key.notAfter.map { "\(key.name), until \($0)" } ?? key.name
  }

  private func members(of rule: TrustRule) -> JSONObject {
    [
      "models": .string(rule.models.text), "threshold": .integer(Int64(rule.threshold)),
      "keys": .array(rule.keys.map { .string($0.description) }),
    ]
  }
}
