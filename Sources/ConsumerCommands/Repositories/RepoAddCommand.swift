import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Repositories
import StrictJSON
import SystemFiles
import Transfers
import Trust

/// Adds a repository, whose models belong to it from then on.
struct RepoAddCommand: Command {
  static let name = ["repo", "add"]
  static let summary = "pins a repository by its root, and reserves models for it"
  static let help = CommandHelp(
    operands: [OperandHelp("URL", "where the repository lies: https, http or file")],
    options: [
      OptionHelp(
        "--root",
        value: "FILE",
        occurrence: .required,
        "the root to start from, as its publisher hands it out"
      ),
      OptionHelp(
        "--models",
        value: "PATTERN",
        occurrence: .repeatedAtLeastOnce,
        "the models that belong to it, such as acme/*"
      ),
      OptionHelp(
        "--replace-root",
        "pins this root although it does not follow from the one that is pinned"
      ),
      OptionHelp("--name", value: "NAME", "what to call it; the host of the URL by default"),
      OptionHelp(
        "--mirror",
        value: "URL",
        occurrence: .repeatable,
        "another place of the same repository, which is asked too"
      ),
    ],
    details: [
      """
      Works offline. The models are reserved at once: from then on nothing that a pattern matches is accepted because a \
      key of the trust policy here has signed it, neither before sealift repo update has asked the repository for its own \
      policy, nor after everything was withdrawn. Patterns of two repositories never match one model.
      """,
      """
      Everything follows from the root: compare its SHA-256 with what the publisher says. That it has expired does not \
      matter; the roots that followed it are fetched. Adding a repository again, with the same name and URL, replaces \
      its root, mirrors and patterns; a root that does not follow from the pinned one, by the signatures of that, is \
      another repository's until you say otherwise. What was known of a repository of this name, such as the newest state \
      that was seen, is gone on from.
      """,
    ],
    examples: [
      ExampleHelp(
        "sealift repo add https://models.example.com/sealift --root ./root.json --models 'acme/*'",
        "lets this repository decide about all models of acme"
      )
    ]
  )

  private let urls: [RepositoryURL]
  private let root: String
  private let models: [ModelPattern]
  private let repository: RepositoryName?
  private let replacesRoot: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    root = try arguments.requiredOption("--root") { $0 }
    replacesRoot = try arguments.flag("--replace-root")
    models = try arguments.options("--models") { try ModelPattern($0) }
    repository = try arguments.option("--name") { try RepositoryName($0) }
    let mirrors = try arguments.options("--mirror") { try RepositoryURL($0) }
    urls = [try arguments.operand("URL") { try RepositoryURL($0) }] + mirrors
    try arguments.finish()
    guard !models.isEmpty else {
      throw UsageError("--models is missing", helps: ["name the models that belong to it"])
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let bytes = try rootBytes()
    let chain = try RootChain(pin: bytes, chain: [])
    let added = PinnedRepository(name: try chosenName(), urls: urls, models: models, root: bytes)
    let before = try client.policy()
    var replaced: PinnedRepository?
    try client.changeRepositories { list in
      let new = try list.adding(added)
      replaced = list.repository(named: added.name)
      if !replacesRoot, let replaced { try requireFollower(bytes, of: replaced, client) }
      return new
    }
    tell(added, root: chain.newest.contents, SHA256Digest(of: bytes), context.console)
    if replacesRoot, let replaced, replaced.root != bytes,
      try client.stateFolder(of: added.name) != nil
    {
      context.console.inform(
        "what was seen under the root before is kept; should sealift repo update refuse what began anew as older, "
          + "sealift repo remove \(added.name) --purge forgets it, and then sealift repo add adds it again"
      )
    }
    try client.warnOfActiveVersions(
      after: PolicyChange(before: before, after: try client.policy())
    )
    return .done
  }

  /// Throws unless the pinned root leads to this one, over those that were fetched since.
  private func requireFollower(
    _ bytes: [UInt8],
    of old: PinnedRepository,
    _ client: Client
  ) throws {
    let kept = try client.stateFolder(of: old.name)
      .map { try old.follower([], FetchOptions()).keptRoots($0).chain }
    guard try !RootChain.leads(from: old.root, to: bytes, over: kept ?? []) else { return }
    throw Diagnostic(
      .notAccepted,
      kind: .otherRoot,
      "the root does not follow from the one that is pinned for the repository \(old.name)",
      notes: [
        "pinned is SHA-256 \(SHA256Digest(of: old.root)), given \(SHA256Digest(of: bytes))",
        "its models would be those of whoever has the keys of this root",
      ],
      helps: [
        "sealift repo update \(old.name) fetches the roots up to now, if this one is newer",
        "--name pins another repository under a name of its own",
        "--replace-root pins this root, if the publisher says that everything began anew",
      ]
    )
  }

  private func rootBytes() throws -> [UInt8] {
    do throws(SystemError) {
      return try OpenFile(readingPlainFile: root).readAll(limit: MetadataLimits.standard.root)
    } catch {
      throw error.at(root)
    }
  }

  private func chosenName() throws -> RepositoryName {
    if let repository { return repository }
    guard let name = urls[0].defaultName else {
      throw UsageError("the URL has no host to name the repository by", helps: ["give --name NAME"])
    }
    return name
  }

  private func tell(
    _ added: PinnedRepository,
    root: RootMetadata,
    _ digest: SHA256Digest,
    _ console: Console
  ) {
    let patterns = added.models.map(\.text)
    console.print("repository \(added.name) at \(added.urls[0])")
    console.print("  models \(patterns.joined(separator: ", ")) belong to it from now on")
    console.print(
      "  root version \(root.header.version), \(root.root.threshold) of \(counted(root.root.keyIDs.count, "key")), SHA-256 \(digest)"
    )
    console.inform("sealift repo update asks it for its policy and its releases")
    console.summarize([
      "repository": .string(added.name.text),
      "urls": .array(added.urls.map { .string($0.text) }),
      "models": .array(patterns.map { .string($0) }),
      "rootVersion": .integer(Int64(root.header.version)), "rootSha256": .string(digest.hex),
    ])
  }
}

extension RepositoryURL {
  /// The host, or the last name of a `file` URL; nil where that is no name.
  fileprivate var defaultName: RepositoryName? {
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "/")).dropFirst()
    let isFile = text.utf8.prefix(5).elementsEqual("file:".utf8)
    guard let part = isFile ? parts.last : parts.first else { return nil }
    let host = isFile ? part : part.prefix { $0 != UInt8(ascii: ":") }
    return try? RepositoryName(String(decoding: Array(host), as: UTF8.self))
  }
}
