import CommandErrors
import CommandLineKit
import Digests
import Manifests
import StrictJSON
import Trust

/// Shows the repositories of this client.
struct RepoListCommand: Command {
  static let name = ["repo", "list"]
  static let summary =
    "shows the repositories, the models that belong to them, and what they said last"
  static let help = CommandHelp(
    details: ["Works offline: it tells what sealift repo update has left."],
    examples: [ExampleHelp("sealift repo list", "shows every repository")]
  )

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let console = context.console
    let list = try client.repositoryList()
    if list.repositories.isEmpty { console.inform("no repositories: \(client.repositories.path)") }
    let now = try Timestamp.current()
    for repository in list.repositories {
      let standing = RepositoryStanding(repository, client, now: now)
      console.print("\(repository.name): \(repository.urls[0])")
      for mirror in repository.urls.dropFirst() { console.print("  mirror \(mirror)") }
      let patterns = repository.models.map(\.text)
      console.print("  models \(patterns.joined(separator: ", "))")
      console.print("  \(standing.words)")
      console.event(
        "repository",
        [
          "currentUntil": standing.end.map { .string($0.time.text) } ?? .null,
          "staleSince": standing.stale.map { .string($0.since.text) } ?? .null,
          "repository": .string(repository.name.text),
          "urls": .array(repository.urls.map { .string($0.text) }),
          "models": .array(patterns.map { .string($0) }),
          "rootSha256": .string(SHA256Digest(of: repository.root).hex),
        ]
      )
    }
    console.summarize(["repositories": .integer(Int64(list.repositories.count))])
    return .done
  }
}
