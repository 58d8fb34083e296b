import CommandErrors
import CommandLineKit
import Manifests
import Signatures
import StrictJSON
import Trust

/// Ends the trust in a key, or in all keys for a pattern.
struct TrustRemoveCommand: Command {
  /// What is no longer trusted.
  private enum Subject {
    case pattern(ModelPattern)
    case key(Fingerprint)
  }

  static let name = ["trust", "remove"]
  static let summary = "removes the rule for a pattern, or a key from all rules"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "WHAT",
        accepts: .text,
        "a pattern as trust list shows it, or a fingerprint SHA256:..."
      )
    ],
    details: [
      "Installed versions stay, and active ones that this leaves without a signer are named; a version that nobody "
        + "vouches for is not activated again. What must never count again is withdrawn: see trust withdraw."
    ],
    examples: [
      ExampleHelp("sealift trust remove 'lfm2-*'", "accepts no new manifest of these models")
    ]
  )

  private let subject: Subject

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    subject = try arguments.operand("WHAT") { text in
      if let key = Fingerprint(text) { return .key(key) }
      return .pattern(try ModelPattern(text))
    }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let change = try client.changePolicy(removing)
    let (before, after) = (change.before, change.after)
    context.console.print("no longer trusted: \(what)")
    let affected = before.rules.filter { rule in !after.rules.contains(rule) }.map(\.models)
    for models in affected { context.console.inform(line(about: models, in: after)) }
    context.console.summarize([
      "removed": .string(what),
      "rules": .array(affected.map { .object(members(of: $0, in: after)) }),
    ])
    let now = try Timestamp.current()
    for rule in after.rules where affected.contains(rule.models) {
      after.warnIfUnmet(rule, at: now, context.console)
    }
    try client.warnOfActiveVersions(after: change)
    return .done
  }

  private var what: String {
    switch subject {
    case .pattern(let models): models.text
    case .key(let key): key.description
    }
  }

  private func removing(from policy: TrustPolicy) throws -> TrustPolicy {
    switch subject {
    case .pattern(let models): try policy.removing(models)
    case .key(let key): try policy.removing(key)
    }
  }

  /// Which rule applies now where the rule for `models` has changed or gone.
  private func line(about models: ModelPattern, in policy: TrustPolicy) -> String {
    guard let rule = policy.rule(covering: models) else {
      return "no rule covers all of \(models.text) now"
    }
    return "the rule that applies to \(models.text) now is \(rule.words)"
  }

  private func members(of models: ModelPattern, in policy: TrustPolicy) -> JSONObject {
    var members: JSONObject = ["models": .string(models.text)]
    members["now"] = policy.rule(covering: models).map { .string($0.models.text) }
    return members
  }
}
