import CommandErrors
import CommandLineKit
import Manifests
import Signatures
import StrictJSON
import Trust

/// Withdraws a key or a manifest, or takes that back.
struct TrustWithdrawCommand: Command {
  private enum Action {
    case withdraw(reason: String)
    case undo
  }

  static let name = ["trust", "withdraw"]
  static let summary = "lets a key or a manifest count never again, or takes that back"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "WHAT",
        "a fingerprint SHA256:..., the SHA-256 of a payload, a manifest file, or MODEL@VERSION that is installed"
      )
    ],
    options: [
      OptionHelp(
        "--reason",
        value: "TEXT",
        "why, in up to 1,000 bytes: refusals repeat it; needed unless with --undo"
      ),
      OptionHelp("--undo", "takes the withdrawal back"),
    ],
    details: [
      """
      Rules keep a withdrawn key and explain with the reason why its signature does not count, on new manifests and on \
      those that were accepted before. A withdrawn manifest is refused whoever signed it. Installed versions stay, and \
      active ones that are no longer accepted are named.
      """
    ],
    examples: [
      ExampleHelp(
        "sealift trust withdraw SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8 --reason stolen",
        "accepts nothing that this key has signed"
      ),
      ExampleHelp(
        "sealift trust withdraw lfm2-2.6b@1.0.0 --reason 'wrong tokenizer'",
        "refuses the manifest of an installed version from now on"
      ),
      ExampleHelp(
        "sealift trust withdraw lfm2-2.6b@1.0.0 --undo",
        "judges the manifest by its signers again"
      ),
    ]
  )

  private let subject: TrustSubject
  private let action: Action

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let reason = try arguments.option("--reason") { try parseText($0, upTo: longestReason) }
    let isUndone = try arguments.flag("--undo")
    subject = try arguments.operand("WHAT") { try TrustSubject($0) }
    switch (reason, isUndone) {
    case (let reason?, false): action = .withdraw(reason: reason)
    case (nil, true): action = .undo
    case (nil, false):
      throw UsageError("--reason is missing", helps: ["say why, so that refusals can repeat it"])
    case (_?, true): throw UsageError("--undo takes no --reason")
    }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let withdrawal = try await Withdrawal(subject, client)
    let change = try client.changePolicy { policy in
      switch action {
      case .withdraw(let reason): withdrawal.withdrawn(from: policy, reason: reason)
      case .undo: try withdrawal.restored(to: policy)
      }
    }
    report(withdrawal, context.console)
    if case .key(let key) = withdrawal, case .withdraw = action {
      let now = try Timestamp.current()
      for rule in change.after.rules where rule.keys.contains(key) {
        change.after.warnIfUnmet(rule, at: now, context.console)
      }
    }
    try client.warnOfActiveVersions(after: change)
    return .done
  }

  private func report(_ withdrawal: Withdrawal, _ console: Console) {
    let member = withdrawal.member
    var members = JSONObject()
    members[member.name] = .string(member.text)
    switch action {
    case .withdraw(let reason):
      console.print("withdrawn: \(withdrawal.words): \(reason)")
      members["reason"] = .string(reason)
      members["withdrawn"] = true
    case .undo:
      console.print("no longer withdrawn: \(withdrawal.words)")
      members["withdrawn"] = false
    }
    console.summarize(members)
  }
}
