import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Signatures
import StrictJSON
import Trust

struct RepoPolicyCommand: Command {
  static let name = ["repo", "policy"]
  static let summary = "says which release keys a repository trusts for which models"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", "the folder of the repository")],
    options: PolicyOptions.help + [
      OptionHelp("--remove-models", value: "PATTERN", "removes the rule for this pattern"),
      OptionHelp(
        "--withdraw-key",
        value: "FINGERPRINT",
        "no signature of this key counts any more; --reason says why"
      ),
      OptionHelp("--reason", value: "TEXT", "why --withdraw-key withdraws it; clients show it"),
      OptionHelp(
        "--refuse-listed",
        "publishes the policy although it refuses releases that are listed"
      ),
    ] + RepositoryOptions.help,
    details: [
      "Without an option that changes something it prints the rules. A new policy takes the signatures of the root keys, "
        + "as a new root would, and those of targets, snapshot and timestamp, which bring it to clients.",
      "--trust replaces the keys of the rule for the same pattern: name those that stay as well. The most specific pattern that "
        + "matches a model decides alone. A policy that would refuse a release that is listed is not published, and the releases "
        + "are named: withdraw them first, or say --refuse-listed. A withdrawn key is withdrawn for good.",
    ],
    examples: [
      ExampleHelp("sealift-publish repo policy public", "prints who may sign what"),
      ExampleHelp(
        "sealift-publish repo policy public --trust new.pub --models 'acme/*' --key root.key",
        "trusts a new key for the models of acme"
      ),
    ]
  )

  private let path: String
  private let trust: PolicyOptions
  private let removed: ModelPattern?
  private let withdrawn: (key: Fingerprint, reason: String)?
  private let refusesListed: Bool
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    trust = try PolicyOptions(&arguments)
    removed = try arguments.option("--remove-models") { try ModelPattern($0) }
    let key = try arguments.option("--withdraw-key") { text throws -> Fingerprint in
      guard let key = Fingerprint(text) else {
        throw UsageError("\(quoted(text)) is no fingerprint")
      }
      return key
    }
    let reason = try arguments.option("--reason") { try readReason($0) }
    refusesListed = try arguments.flag("--refuse-listed")
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
    switch (key, reason) {
    case (let key?, let reason?): withdrawn = (key, reason)
    case (nil, nil): withdrawn = nil
    default: throw UsageError("--withdraw-key and --reason go together")
    }
  }

  private var changes: Bool { trust.hasKeys || removed != nil || withdrawn != nil }

  func run(_ context: CommandContext) async throws -> ExitCode {
    guard changes else { return try show(context) }
    return try await RepositoryChange(path: path, options: options, context: context).run {
      draft,
      tree,
      now in
      var policy = TrustPolicy()
      try draft.changePolicy(at: now) {
        policy = try changed($0, context)
        return policy
      }
      if let base = draft.base, !draft.isEmpty, !refusesListed {
        let refused = try tree.refusals(by: policy, in: base, at: now)
        guard refused.isEmpty else { throw RepositoryProblem.policyRefuses(refused) }
      }
    }
  }

  private func changed(_ old: TrustPolicy, _ context: CommandContext) throws -> TrustPolicy {
    var policy = old
    if let removed { policy = try policy.removing(removed) }
    if trust.hasKeys { policy = try trust.policy(from: policy, default: [], context) }
    if let withdrawn { policy = policy.withdrawing(withdrawn.key, reason: withdrawn.reason) }
    return policy
  }

  private func show(_ context: CommandContext) throws -> ExitCode {
    let state = try RepositoryTree(path: path).state(at: try Timestamp.current())
    guard let policy = try state.signedPolicy else { throw RepositoryProblem.noPolicy }
    var table = TextTable(["MODELS", "SIGNATURES", "KEY", "NAME"])
    for rule in policy.policy.rules {
      for key in rule.keys {
        let words = [
          rule.models.text, "\(rule.threshold) of \(rule.keys.count)", key.description,
          policy.policy.keys[key]?.name ?? "",
        ]
        table.append(words)
      }
    }
    context.console.print(table)
    context.console.summarize([
      "repository": .string(path), "version": .integer(Int64(policy.version)),
      "policy": policy.policy.document,
    ])
    return .done
  }
}

/// Reads a reason that clients will show: a line of text.
func readReason(_ text: String) throws(UsageError) -> String {
  guard text.utf8.count <= 1_000, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
    throw UsageError("a reason is one line of at most 1000 bytes")
  }
  return text
}

/// The options that trust release keys.
struct PolicyOptions: Sendable {
  static let help: [OptionHelp] = [
    OptionHelp(
      "--trust",
      value: "PUB",
      occurrence: .repeatable,
      "a public key that signs releases of the models of --models"
    ),
    OptionHelp(
      "--models",
      value: "PATTERN",
      occurrence: .repeatable,
      "the models that the keys of --trust sign, such as 'acme/*'; all unless given"
    ),
    OptionHelp("--threshold", value: "N", "how many keys of --trust must sign; 1 by default"),
  ]

  private let keys: [KeyArgument]
  private let models: [ModelPattern]
  private let threshold: Int

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    keys = try arguments.options("--trust") { KeyArgument($0, of: "--trust") }
    models = try arguments.options("--models") { try ModelPattern($0) }
    threshold = try arguments.option("--threshold") { try readThreshold($0) } ?? 1
    guard !keys.isEmpty || models.isEmpty && threshold == 1 else {
      throw UsageError("--models and --threshold go with --trust")
    }
  }

  var hasKeys: Bool { !keys.isEmpty }

  /// The policy with a rule for each pattern.
  func policy(
    from policy: TrustPolicy,
    default own: [PublicKey],
    _ context: CommandContext
  ) throws -> TrustPolicy {
    let stated = try keys.map { try $0.shortlyNamedKey(context) }
    let trusted =
      stated.isEmpty ? own.map { TrustedKey(publicKey: $0, name: $0.shortForm) } : stated
    let patterns = models.isEmpty ? try ["*", "*/*"].map { try ModelPattern($0) } : models
    return try patterns.reduce(policy) { policy, pattern in
      try policy.adding(trusted, for: pattern, threshold: threshold)
    }
  }
}
