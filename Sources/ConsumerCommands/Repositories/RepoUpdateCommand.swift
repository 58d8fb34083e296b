import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Repositories
import StrictJSON
import Trust

/// Asks repositories what is current, and accepts their policies and withdrawals.
struct RepoUpdateCommand: Command {
  static let name = ["repo", "update"]
  static let summary =
    "asks the repositories what is current and what is withdrawn; installs nothing"
  static let help = CommandHelp(
    operands: [OperandHelp("NAME", arity: .any, "the repositories; all of them by default")],
    options: TransferFlags.options,
    details: [
      """
      Follows each repository from its pinned root: keys that were rotated, the trust policy that its root signs, the \
      releases it lists and those it has withdrawn. Active versions that are accepted no more are named; they stay \
      installed. What fails leaves in force what was accepted before, and the other repositories are asked all the same.
      """
    ],
    examples: [ExampleHelp("sealift repo update", "asks every repository")]
  )

  private let names: [RepositoryName]
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    transfer = try TransferFlags(&arguments)
    names = try arguments.operands("NAME") { try RepositoryName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let options = try transfer.options(client, context)
    let list = try client.repositoryList()
    let repositories = try names.map { name throws(RepositoryError) in
      guard let repository = list.repository(named: name) else { throw .noSuchRepository(name) }
      return repository
    }
    let chosen = names.isEmpty ? list.repositories : repositories
    if chosen.isEmpty { context.console.inform("no repositories: \(client.repositories.path)") }
    let before = try client.policy()
    let now = try Timestamp.current()
    var failures = ToldFailures(context.console)
    for repository in chosen {
      do {
        tell(try await client.follow(repository, options, now: now), context.console)
      } catch {
        try failures.add(error)
      }
    }
    context.console.summarize(["repositories": .integer(Int64(chosen.count))])
    try client.warnOfActiveVersions(
      after: PolicyChange(before: before, after: try client.policy())
    )
    return failures.code ?? .done
  }

  private func tell(_ followed: FollowedRepository, _ console: Console) {
    let (models, releases) = followed.counts
    let metadata = followed.metadata
    let delegated = metadata.targets.contents.delegations != nil
    let what =
      delegated
      ? "releases in delegated lists"
      : "\(counted(releases, "release")) of \(counted(models, "model"))"
    let end = metadata.expiries.map(\.time).min()
    console.print(
      "\(followed.repository.name): \(what), \(followed.withdrawn.releases.count) withdrawn"
        + (end.map { ", current until \($0)" } ?? "")
    )
    console.event(
      "repository",
      [
        "repository": .string(followed.repository.name.text),
        "rootVersion": .integer(Int64(metadata.root.contents.header.version)),
        "timestampVersion": .integer(Int64(metadata.timestamp.contents.header.version)),
        "policyVersion": .integer(Int64(followed.policy.version)),
        "releases": delegated ? .null : .integer(Int64(releases)),
        "withdrawn": .array(
          followed.withdrawn.releases.map { release in
            [
              "model": .string(release.model.text), "version": .string(release.version.text),
              "manifestSha256": .string(release.manifest.hex), "reason": .string(release.reason),
              "withdrawn": .string(release.time.text),
            ]
          }
        ),
        "currentUntil": end.map { .string($0.text) } ?? .null,
      ]
    )
  }
}
