import CommandErrors
import CommandLineKit
import Manifests
import Signatures
import StrictJSON
import Trust

/// Trusts keys for the models of a pattern, or notes keys that sign exports and no manifest.
struct TrustAddCommand: Command {
  /// What the keys are to sign.
  private enum Purpose {
    case manifests(ModelPattern, threshold: Int)
    case exports
  }

  static let name = ["trust", "add"]
  static let summary = "trusts public keys to sign the models that match a pattern"
  static let help = CommandHelp(
    operands: [
      OperandHelp("PUB", arity: .atLeastOne, "a public key: a file, or its one-line form")
    ],
    options: [
      OptionHelp(
        "--models",
        value: "PATTERN",
        "the models, such as lfm2-2.6b, 'lfm2-*' or 'acme/*'"
      ),
      OptionHelp("--threshold", value: "N", "how many of the keys must sign; 1 by default"),
      OptionHelp(
        "--name",
        value: "NAME",
        "what lists call the key, instead of the name of its file"
      ),
      OptionHelp("--not-after", value: "TIME", "accept nothing new from the keys after this time"),
      OptionHelp(
        "--export-only",
        "notes, instead of --models, that the keys sign exports such as SHA256SUMS and no manifest"
      ),
    ],
    details: [
      """
      A rule for the same pattern is replaced. The most specific rule that matches a model alone applies; * never \
      crosses a /. Compare the fingerprint that is printed with what the publisher states elsewhere.
      """,
      """
      A threshold counts different keys. --not-after is compared with the clock when a release is installed; what was \
      accepted before that time stays accepted.
      """,
    ],
    examples: [
      ExampleHelp(
        "sealift trust add keys/release.pub --models 'lfm2-*'",
        "trusts one publisher's key"
      ),
      ExampleHelp(
        "sealift trust add a.pub b.pub c.pub --models 'acme/*' --threshold 2",
        "demands the signatures of two of three people"
      ),
      ExampleHelp(
        "sealift trust add sums.pub --export-only",
        "never takes a manifest from the key that signs SHA256SUMS"
      ),
    ]
  )

  private let arguments: [KeyArgument]
  private let purpose: Purpose
  private let name: String?
  private let notAfter: Timestamp?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let isExportOnly = try arguments.flag("--export-only")
    let models =
      isExportOnly
      ? try arguments.option("--models") { try ModelPattern($0) }
      : try arguments.requiredOption("--models") { try ModelPattern($0) }
    let threshold = try arguments.option("--threshold") { try parseCount($0, in: 1...Int.max) }
    name = try arguments.option("--name") { $0 }
    notAfter = try arguments.option("--not-after") { try Timestamp($0) }
    let keys = try arguments.operands("PUB", atLeast: 1) { KeyArgument($0) }
    if isExportOnly, models != nil || threshold != nil {
      throw UsageError("--export-only takes neither --models nor --threshold")
    }
    purpose = models.map { .manifests($0, threshold: threshold ?? 1) } ?? .exports
    guard name == nil || keys.count == 1 else {
      throw UsageError("--name is the name of one key", helps: ["add keys with names one by one"])
    }
    self.arguments = keys
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let keys = try arguments.map { argument in
      let key = try argument.shortlyNamedKey(context)
      return TrustedKey(publicKey: key.publicKey, name: name ?? key.name, notAfter: notAfter)
    }
    let change = try client.changePolicy { policy in
      switch purpose {
      case .manifests(let models, let threshold):
        try policy.adding(keys, for: models, threshold: threshold)
      case .exports:
        try policy.adding(exportOnly: keys)
      }
    }
    switch purpose {
    case .manifests(let models, let threshold):
      try report(keys, for: models, threshold, change, context.console)
    case .exports:
      report(exportOnly: keys, context.console)
    }
    try client.warnOfActiveVersions(after: change)
    return .done
  }

  private func report(
    _ keys: [TrustedKey],
    for models: ModelPattern,
    _ threshold: Int,
    _ change: PolicyChange,
    _ console: Console
  ) throws {
    let replaced = change.before.rules.first { $0.models == models }
    if let replaced { console.inform("this replaces the rule \(replaced.words)") }
    for key in keys {
      console.print("trusted \(key.fingerprint) (\(key.name)) for \(models.text)")
      console.event(
        "trusted",
        [
          "fingerprint": .string(key.fingerprint.description), "name": .string(key.name),
          "models": .string(models.text), "threshold": .integer(Int64(threshold)),
        ]
      )
    }
    if let rule = change.after.rules.first(where: { $0.models == models }) {
      change.after.warnIfUnmet(rule, at: try .current(), console)
    }
    console.summarize([
      "models": .string(models.text), "threshold": .integer(Int64(threshold)),
      "keys": .array(keys.map { .string($0.fingerprint.description) }),
      "replaced": .boolean(replaced != nil),
    ])
  }

  private func report(exportOnly keys: [TrustedKey], _ console: Console) {
    for key in keys {
      console.print("export-only \(key.fingerprint) (\(key.name))")
      console.event(
        "exportOnly",
        ["fingerprint": .string(key.fingerprint.description), "name": .string(key.name)]
      )
    }
    console.summarize([
      "exportOnly": true, "keys": .array(keys.map { .string($0.fingerprint.description) }),
    ])
  }
}
