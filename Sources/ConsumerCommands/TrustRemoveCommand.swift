import CommandLineKit
import Signatures
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
      OperandHelp("WHAT", "a pattern as trust list shows it, or a fingerprint SHA256:...")
    ],
    details: ["Installed versions stay; a version that nobody vouches for is not activated again."],
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
    try client.trust.change { policy in
      switch subject {
      case .pattern(let models): try policy.removing(models)
      case .key(let key): try policy.removing(key)
      }
    }
    switch subject {
    case .pattern(let models): context.console.print("no longer trusted: \(models.text)")
    case .key(let key): context.console.print("no longer trusted: \(key)")
    }
    return .done
  }
}
