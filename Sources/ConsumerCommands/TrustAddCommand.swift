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
        "what lists call the key, in up to 200 bytes; the name of its file unless given or known"
      ),
      OptionHelp(
        "--not-after",
        value: "TIME",
        "accepts nothing new from the keys after this time, in any rule; never takes an end away"
      ),
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
      """
      A name and an end belong to the key, whatever rules name it: a key that is known keeps both unless the options say \
      otherwise, and then the other rules that change with it are named in a warning.
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
        "sealift trust add keys/release.pub --models 'lfm2-*' --not-after never",
        "lets a key that had an end count without one, in all rules"
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
  private let end: KeyEnd

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let isExportOnly = try arguments.flag("--export-only")
    let models =
      isExportOnly
      ? try arguments.option("--models") { try ModelPattern($0) }
      : try arguments.requiredOption("--models") { try ModelPattern($0) }
    let threshold = try arguments.option("--threshold") { try parseCount($0, in: 1...Int.max) }
    name = try arguments.option("--name") { try parseText($0, upTo: longestName) }
    end = try arguments.option("--not-after") { try KeyEnd($0) } ?? .asKnown
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
      return TrustedKey(publicKey: key.publicKey, name: name ?? key.name, notAfter: end.time)
    }
    let change = try client.changePolicy { policy in
      let keys = keys.map { named($0, in: policy) }
      let policy =
        end == .never ? try policy.clearingEnds(of: keys.map(\.fingerprint)) : policy
      switch purpose {
      case .manifests(let models, let threshold):
        return try policy.adding(keys, for: models, threshold: threshold)
      case .exports:
        return try policy.adding(exportOnly: keys)
      }
    }
    let known = keys.compactMap { change.after.keys[$0.fingerprint] }
    switch purpose {
    case .manifests(let models, let threshold):
      try report(known, for: models, threshold, change, context.console)
    case .exports:
      report(exportOnly: known, context.console)
    }
    try client.warnOfActiveVersions(after: change)
    return .done
  }

  /// The key under the name that was stated for it, else the one under which the policy knows it already.
  private func named(_ key: TrustedKey, in policy: TrustPolicy) -> TrustedKey {
    guard name == nil, let known = policy.keys[key.fingerprint] else { return key }
    return TrustedKey(publicKey: key.publicKey, name: known.name, notAfter: key.notAfter)
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
    let changes = change.after.changes(since: change.before, besides: models)
    for change in changes { console.warn(Diagnostic(change)) }
    let now = try Timestamp.current()
    for rule in change.after.rules
    where rule.models == models
      || changes.contains(where: { $0.changesEnd && $0.rules.contains(rule) })
    {
      change.after.warnIfUnmet(rule, at: now, console)
    }
    console.summarize([
      "models": .string(models.text), "threshold": .integer(Int64(threshold)),
      "keys": .array(keys.map { .string($0.fingerprint.description) }),
      "replaced": .boolean(replaced != nil),
      "changedRules": .array(
        change.after.rules.filter { rule in
          changes.contains { $0.rules.contains(rule) }
        }.map { .string($0.models.text) }
      ),
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
