import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import Trust

struct RepoInitCommand: Command {
  static let name = ["repo", "init"]
  static let summary = "makes a repository that says which releases are current"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", "the folder that a web server will serve")],
    options: RoleKeyOptions.help + PolicyOptions.help + [
      OptionHelp("--bins", "spreads the releases over bins from the start, for thousands of them")
    ] + RepositoryOptions.help,
    details: [
      "With one --key, that key signs all: the root of trust, the list of releases, and the proof that the list is "
        + "current. --root-key, --targets-key, --snapshot-key and --timestamp-key give roles keys of their own; what lacks "
        + "signatures waits with --stage for repo sign.",
      "The trust policy says which release keys sign which models: those of --trust for the models of --models, all "
        + "models by default. Without --trust the keys of --key are trusted. It is signed by the root keys, so whoever has "
        + "only a targets key cannot replace the release keys.",
      "Prints the SHA-256 of 1.root.json. Clients pin that file; everything after it, new keys too, they learn from the "
        + "repository. Keep root keys off machines that serve.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo init public --key keys/release.key",
        "makes a repository with one key"
      ),
      ExampleHelp(
        "sealift-publish repo init public --root-key a.pub --root-key b.pub --root-key c.pub --root-threshold 2 "
          + "--key a.key --key b.key --key online.key --trust keys/release.pub --models 'acme/*' --targets-key "
          + "t.pub --snapshot-key online.pub --timestamp-key online.pub --stage",
        "makes one whose root takes two of three keys"
      ),
    ]
  )

  private let path: String
  private let roles: RoleKeyOptions
  private let trust: PolicyOptions
  private let hasBins: Bool
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    roles = try RoleKeyOptions(&arguments)
    trust = try PolicyOptions(&arguments)
    hasBins = try arguments.flag("--bins")
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
    guard !options.signers.sources.isEmpty else {
      throw UsageError(
        "nobody is named to sign",
        helps: ["--key FILE names a key; sealift-publish key new NAME makes one"]
      )
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let change = RepositoryChange(path: path, options: options, context: context)
    let signers = try await change.openSigners()
    let tree = try RepositoryTree(creating: path)
    return try change.locked(tree) { tree in
      switch try tree.recover() {
      case .nothing: try make(tree, signers, change)
      case .completed: context.console.inform("completed a publication that was interrupted")
      case .waiting: throw RepositoryProblem.changePending
      }
      return try end(tree, context)
    }
  }

  private func make(
    _ tree: borrowing RepositoryTree,
    _ signers: [RepositorySigner],
    _ change: RepositoryChange
  ) throws {
    guard try !tree.isPublished else { throw RepositoryProblem.alreadyThere(path) }
    let (now, context) = (try Timestamp.current(), change.context)
    let own = signers.map(\.publicKey)
    var draft = try RepositoryDraft(
      newRepositoryWith: try roles.roles(default: own, context),
      policy: RepositoryPolicy(
        version: 1,
        policy: try trust.policy(from: TrustPolicy(), default: own, context)
      ),
      hasBins: hasBins,
      lifetimes: options.lifetimes,
      at: now
    )
    let advice = draft.keyAdvice
    change.tell(try change.finish(&draft, tree, signers, now))
    for advice in advice { context.console.warn(Diagnostic(advice, path)) }
  }

  private func end(_ tree: borrowing RepositoryTree, _ context: CommandContext) throws -> ExitCode {
    let console = context.console
    let place = RepositoryLayout.metadata(.root, 1)
    guard let root = try tree.read(place, limit: MetadataLimits.standard.root) else { return .done }
    let digest = SHA256Digest(of: root)
    console.print("sha256 of 1.root.json: \(digest)")
    console.inform(
      "give clients \(path)/\(place) and this digest by a way that they trust, then they run"
    )
    console.inform("  sealift repo add URL --root 1.root.json --models PATTERN")
    console.summarize(["rootSha256": .string(digest.hex)])
    return .done
  }
}

/// The options that give roles keys of their own.
struct RoleKeyOptions: Sendable {
  private static let names = ["root", "targets", "snapshot", "timestamp"]

  static let help: [OptionHelp] = names.flatMap { name in
    [
      OptionHelp(
        "--\(name)-key",
        value: "PUB",
        occurrence: .repeatable,
        "a public key that signs \(name); those who sign now unless given"
      ),
      OptionHelp(
        "--\(name)-threshold",
        value: "N",
        "how many keys of \(name) must sign; 1 by default"
      ),
    ]
  }

  private let stated: [(keys: [KeyArgument], threshold: Int)]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    var stated: [(keys: [KeyArgument], threshold: Int)] = []
    for name in Self.names {
      let keys = try arguments.options("--\(name)-key") { KeyArgument($0, of: "--\(name)-key") }
      let threshold = try arguments.option("--\(name)-threshold") { try readThreshold($0) }
      stated.append((keys, threshold ?? 1))
    }
    self.stated = stated
  }

  func roles(
    default own: [PublicKey],
    _ context: CommandContext
  ) throws -> [RoleName: (keys: [PublicKey], threshold: Int)] {
    var roles: [RoleName: (keys: [PublicKey], threshold: Int)] = [:]
    let order: [RoleName] = [.root, .targets, .snapshot, .timestamp]
    for (role, stated) in zip(order, stated) {
      let keys = try stated.keys.map { try $0.key(context).publicKey }
      roles[role] = (keys.isEmpty ? own : keys, stated.threshold)
    }
    return roles
  }
}

/// Reads a threshold.
func readThreshold(_ text: String) throws(UsageError) -> Int {
  guard let number = Int(text), (1...1_000).contains(number), text.utf8.first != UInt8(ascii: "+")
  else { throw UsageError("\(quoted(text)) is no threshold; it is a number from 1 on") }
  return number
}
