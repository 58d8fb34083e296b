import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Signatures
import StrictJSON
import Trust

/// Shows which keys may sign which models, and what is withdrawn.
struct TrustListCommand: Command {
  static let name = ["trust", "list"]
  static let summary = "shows which keys may sign which models, and what is withdrawn"
  static let help = CommandHelp(
    details: [
      "With --json each rule, key and withdrawal is an event; trust show says all about one of them."
    ],
    examples: [ExampleHelp("sealift trust list", "shows every rule, the most specific first")]
  )

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let policy = try client.policy()
    let now = try Timestamp.current()
    let console = context.console
    if policy.rules.isEmpty { console.inform("nothing is trusted: \(client.trust.path)") }
    for rule in policy.rules {
      console.print(rule.words)
      for key in rule.keys.compactMap({ policy.keys[$0] }) {
        console.print("  \(key.fingerprint)  \(policy.words(for: key, at: now))")
      }
      console.event("rule", policy.members(of: rule, at: now))
    }
    let keys = policy.keys.values.sorted { $0.fingerprint < $1.fingerprint }
    for key in keys {
      if key.isExportOnly {
        console.print("export-only \(key.fingerprint)  \(policy.words(for: key, at: now))")
      }
      console.event("key", policy.members(of: key, at: now))
    }
    for reservation in policy.reservations {
      for models in reservation.models {
        console.print("\(models.text): a matter of the repository \(reservation.repository)")
        console.event(
          "reserved",
          [
            "models": .string(models.text),
            "repository": .string(reservation.repository.text),
          ]
        )
      }
    }
    printWithdrawals(of: policy, console)
    console.summarize([
      "rules": .integer(Int64(policy.rules.count)), "keys": .integer(Int64(keys.count)),
      "withdrawn": .integer(
        Int64(policy.withdrawnKeys.count + policy.withdrawnManifests.count)
      ),
    ])
    return .done
  }

  private func printWithdrawals(of policy: TrustPolicy, _ console: Console) {
    for (key, reason) in policy.withdrawnKeys.sorted(by: { $0.key < $1.key }) {
      console.print("withdrawn key \(key): \(reason)")
      console.event(
        "withdrawn",
        ["fingerprint": .string(key.description), "reason": .string(reason)]
      )
    }
    for (digest, reason) in policy.withdrawnManifests.sorted(by: { $0.key.hex < $1.key.hex }) {
      console.print("withdrawn manifest \(digest): \(reason)")
      console.event(
        "withdrawn",
        ["manifestSha256": .string(digest.hex), "reason": .string(reason)]
      )
    }
  }
}
