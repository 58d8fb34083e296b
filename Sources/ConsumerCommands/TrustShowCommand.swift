import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import Signatures
import StrictJSON
import Trust

/// Shows one rule or one key in full.
struct TrustShowCommand: Command {
  private enum Subject {
    case key(Fingerprint)
    case models(ModelPattern)
  }

  static let name = ["trust", "show"]
  static let summary = "shows one rule, or one key, in full"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "WHAT",
        accepts: .text,
        "a pattern as trust list shows it, a model, or a fingerprint SHA256:..."
      )
    ],
    details: ["For a model that no pattern names alone, the rule is shown that applies to it."],
    examples: [
      ExampleHelp(
        "sealift trust show 'lfm2-*'",
        "shows who may sign these models, and who counts now"
      ),
      ExampleHelp("sealift trust show lfm2-2.6b", "shows the one rule that applies to this model"),
    ]
  )

  private let subject: Subject

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    subject = try arguments.operand("WHAT") { text in
      if let key = Fingerprint(text) { return .key(key) }
      return .models(try ModelPattern(text))
    }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let policy = try client.policy()
    let now = try Timestamp.current()
    switch subject {
    case .key(let fingerprint):
      guard let key = policy.keys[fingerprint] else {
        throw policy.withdrawnKeys[fingerprint].map {
          TrustError.withdrawnKey(fingerprint, reason: $0)
        } ?? .noSuchKey(fingerprint)
      }
      let page = TrustedKeyPage(key, of: policy, at: now)
      for line in page.lines { context.console.print(line) }
      context.console.summarize(page.members)
    case .models(let models):
      guard let rule = policy.rule(shownFor: models) else { throw TrustError.noSuchRule(models) }
      let installed = try installedModels(client).filter { policy.rule(for: $0) == rule }
      let page = TrustRulePage(rule, of: policy, installed: installed, at: now)
      for line in page.lines { context.console.print(line) }
      for key in page.keyEvents { context.console.event("key", key) }
      context.console.summarize(page.members)
    }
    return .done
  }

  private func installedModels(_ client: Client) throws -> [ModelName] {
    guard let store = try Store.open(reading: client.folders.store) else { return [] }
    return try store.modelNames()
  }
}

extension TrustPolicy {
  /// The rule for this very pattern, else the one that applies to the model of that name.
  fileprivate func rule(shownFor models: ModelPattern) -> TrustRule? {
    if let rule = rules.first(where: { $0.models == models }) { return rule }
    guard let model = try? ModelName(models.text) else { return nil }
    return rule(for: model)
  }
}

/// All that is to be said of a rule.
private struct TrustRulePage {
  private let rule: TrustRule
  private let policy: TrustPolicy
  private let installed: [ModelName]
  private let now: Timestamp

  init(_ rule: TrustRule, of policy: TrustPolicy, installed: [ModelName], at now: Timestamp) {
    self.rule = rule
    self.policy = policy
    self.installed = installed
    self.now = now
  }

  private var keys: [TrustedKey] { rule.keys.compactMap { policy.keys[$0] } }

  var lines: [String] {
    let counting = policy.countingKeys(of: rule, at: now).count
    let verdict = counting < rule.threshold ? "nothing is accepted" : "enough"
    var lines = [
      "rule       \(rule.models.text)",
      "needs      \(rule.threshold) of \(rule.keys.count) keys",
      "counting   \(counting) now: \(verdict)",
      "installed  \(installed.isEmpty ? "no model" : installed.map(\.text).joined(separator: ", "))",
    ]
    for key in keys {
      let standing = policy.objection(to: key, at: now)?.words ?? "counts"
      let end = key.notAfter.map { ", until \($0)" } ?? ""
      lines.append("key        \(key.fingerprint)  \(key.name)")
      lines.append("           \(key.publicKey.shortForm)")
      lines.append("           \(standing)\(standing.utf8.elementsEqual("counts".utf8) ? end : "")")
    }
    return lines
  }

  var keyEvents: [JSONObject] { keys.map { policy.members(of: $0, at: now) } }

  var members: JSONObject {
    var members = policy.members(of: rule, at: now)
    members["installed"] = .array(installed.map { .string($0.text) })
    return members
  }
}

/// All that is to be said of a key.
private struct TrustedKeyPage {
  private let key: TrustedKey
  private let policy: TrustPolicy
  private let now: Timestamp

  init(_ key: TrustedKey, of policy: TrustPolicy, at now: Timestamp) {
    self.key = key
    self.policy = policy
    self.now = now
  }

  private var rules: [TrustRule] { policy.rules.filter { $0.keys.contains(key.fingerprint) } }

  var lines: [String] {
    let signs =
      key.isExportOnly
      ? ["exports only"] : rules.map(\.words)
    return [
      "key        \(key.fingerprint)",
      "name       \(key.name)",
      "public     \(key.publicKey.shortForm)",
      "openssh    \(key.publicKey.openSSHLine)",
      "until      \(key.notAfter?.text ?? "no end")",
      "now        \(policy.objection(to: key, at: now)?.words ?? "counts")",
    ] + signs.enumerated().map { "\($0.offset == 0 ? "signs      " : "           ")\($0.element)" }
  }

  var members: JSONObject {
    var members = policy.members(of: key, at: now)
    members["openssh"] = .string(key.publicKey.openSSHLine)
    members["rules"] = .array(rules.map { .object(policy.members(of: $0, at: now)) })
    return members
  }
}
