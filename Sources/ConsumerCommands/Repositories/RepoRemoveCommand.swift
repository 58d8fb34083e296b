import CommandErrors
import CommandLineKit
import Manifests
import StrictJSON
import Trust

/// Forgets a repository, and gives its models back to the trust policy of the client.
struct RepoRemoveCommand: Command {
  static let name = ["repo", "remove"]
  static let summary =
    "forgets a repository; its models are a matter of the trust policy here again"
  static let help = CommandHelp(
    operands: [OperandHelp("NAME", "the repository, as repo list shows it")],
    options: [
      OptionHelp(
        "--purge",
        "forgets what is known of it too, such as the newest state that was seen"
      )
    ],
    details: [
      """
      Installed versions stay. Those that only the keys of the repository vouched for are accepted no more, and those \
      that are active are named. Withdrawals of the repository hold no more either. What is known of it stays in the store, \
      so that a mirror cannot offer an older state once it is added again under its name; --purge forgets that.
      """
    ],
    examples: [
      ExampleHelp("sealift repo remove models.example.com", "reserves nothing for it any more")
    ]
  )

  private let repository: RepositoryName
  private let isPurged: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isPurged = try arguments.flag("--purge")
    repository = try arguments.operand("NAME") { try RepositoryName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let before = try client.policy()
    let isKnown = try client.repositoryList().repository(named: repository) != nil
    // What is left of one that was removed before can be forgotten too.
    if try isKnown || !isPurged || client.stateFolder(of: repository) == nil {
      try client.changeRepositories { try $0.removing(repository) }
    }
    if isPurged { try await client.forgetState(of: repository) }
    context.console.print("repository \(repository) is removed")
    if try !isPurged && client.stateFolder(of: repository) != nil {
      context.console.inform(
        "what was seen of it is kept, should it be added again; --purge forgets that too"
      )
    }
    context.console.summarize([
      "removed": .string(repository.text), "purged": .boolean(isPurged),
    ])
    try client.warnOfActiveVersions(
      after: PolicyChange(before: before, after: try client.policy())
    )
    return .done
  }
}
