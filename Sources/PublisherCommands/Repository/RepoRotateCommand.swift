import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import Trust

struct RepoRotateCommand: Command {
  static let name = ["repo", "rotate"]
  static let summary = "changes the keys of a role, or how many of them must sign"
  static let help = CommandHelp(
    operands: [
      OperandHelp("DIR", "the folder of the repository"),
      OperandHelp(
        "ROLE",
        arity: .atLeastOne,
        accepts: .words(["root", "targets", "snapshot", "timestamp", "all"]),
        "root, targets, snapshot, timestamp, or all"
      ),
    ],
    options: [
      OptionHelp("--add", value: "PUB", occurrence: .repeatable, "a public key that the roles get"),
      OptionHelp(
        "--remove",
        value: "PUB",
        occurrence: .repeatable,
        "a public key, or its fingerprint, that those of the roles lose that have it"
      ),
      OptionHelp("--threshold", value: "N", "how many keys of each role must sign from now on"),
      OptionHelp(
        "--compromised",
        "somebody else has a key: old keys sign nothing more, and clients forget what these signed ahead"
      ),
    ] + RepositoryOptions.help,
    details: [
      "Writes the next root, which a threshold of the old and of the new root keys must sign, and signs anew what the old keys "
        + "have signed. Where old and new keys sign both, clients accept every step on the way, since the new root comes last. "
        + "Clients follow by themselves from any root they have, however old. A change of the root's keys signs the trust policy "
        + "anew as well, which takes the keys of targets, snapshot and timestamp.",
      "A lost key: remove it and add another, with the keys that are left. What the lost key would have signed as well goes "
        + "without; clients may refuse for the moment between two files. More lost root keys than the threshold leaves over end "
        + "the repository: a warning says when there is no spare key.",
      "With --compromised, replace the keys of timestamp and snapshot, too (ROLE all does), so that clients recover from "
        + "versions that were wound forward.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo rotate public root --add a.pub --add b.pub --add c.pub --remove release.pub --threshold 2 "
          + "--key release.key --key a.key --key b.key",
        "splits the root off a single key"
      ),
      ExampleHelp(
        "sealift-publish repo rotate public timestamp snapshot --add new.pub --remove old.pub --key root.key "
          + "--key old.key --key new.key",
        "replaces the online key"
      ),
    ]
  )

  private let path: String
  private let roles: [RoleName]
  private let added: [KeyArgument]
  private let removed: [String]
  private let threshold: Int?
  private let isCompromised: Bool
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    added = try arguments.options("--add") { KeyArgument($0, of: "--add") }
    removed = try arguments.options("--remove") { $0 }
    threshold = try arguments.option("--threshold") { try readThreshold($0) }
    isCompromised = try arguments.flag("--compromised")
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    roles = try arguments.operands("ROLE", atLeast: 1) { try readRoles($0) }.flatMap(\.self)
    try arguments.finish()
    guard !added.isEmpty || !removed.isEmpty || threshold != nil else {
      throw UsageError("nothing is to change", helps: ["give --add, --remove or --threshold"])
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let added = try added.map { try $0.key(context).publicKey }
    let removed = try removed.map { text in
      try Fingerprint(text) ?? KeyArgument(text, of: "--remove").key(context).publicKey.fingerprint
    }
    var advice: [KeyAdvice] = []
    let change = RepositoryChange(path: path, options: options, context: context)
    let code = try await change.run { draft, _, now in
      guard let base = draft.base else { return }
      // The root's keys sign no policy anew that they have not signed.
      let policy = try base.signedPolicy == nil ? nil : base.policy
      try draft.rotate(
        KeyRotation.of(
          roles,
          in: base.root.contents,
          adding: added,
          removing: removed,
          threshold: threshold
        ),
        isCompromised: isCompromised,
        policy: policy,
        at: now
      )
      advice = draft.keyAdvice
      if isCompromised, !Set(roles).isSuperset(of: [.timestamp, .snapshot]) {
        advice.append(.fastForward)
      }
    }
    for advice in advice { context.console.warn(Diagnostic(advice, path)) }
    return code
  }
}

private func readRoles(_ text: String) throws(UsageError) -> [RoleName] {
  if text == "all" { return RepositoryDraft.topLevel }
  guard let role = RepositoryDraft.topLevel.first(where: { $0.text == text }) else {
    throw UsageError(
      "\(quoted(text)) is no role",
      helps: ["root, targets, snapshot, timestamp, or all"]
    )
  }
  return [role]
}
