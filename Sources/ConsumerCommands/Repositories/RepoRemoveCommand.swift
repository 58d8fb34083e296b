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
    details: [
      """
      Installed versions stay. Those that only the keys of the repository vouched for are accepted no more, and those \
      that are active are named. Withdrawals of the repository hold no more either.
      """
    ],
    examples: [
      ExampleHelp("sealift repo remove models.example.com", "reserves nothing for it any more")
    ]
  )

  private let repository: RepositoryName

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    repository = try arguments.operand("NAME") { try RepositoryName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let before = try client.policy()
    try client.changeRepositories { try $0.removing(repository) }
    try client.forgetState(of: repository)
    context.console.print("repository \(repository) is removed")
    context.console.summarize(["removed": .string(repository.text)])
    try client.warnOfActiveVersions(
      after: PolicyChange(before: before, after: try client.policy())
    )
    return .done
  }
}
