import CommandErrors
import CommandLineKit
import Publishing

struct RepoRefreshCommand: Command {
  static let name = ["repo", "refresh"]
  static let summary = "renews what expires soon in a repository, and nothing else"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", "the folder of the repository")],
    options: [
      OptionHelp(
        "--within",
        value: "SPAN",
        "renews what expires within this time; 14d unless given"
      )
    ] + RepositoryOptions.help,
    details: [
      "Made for a daily job: where nothing is due, nothing changes, and it ends with 0. The timestamp, which is due most often, "
        + "takes no key but its own. What a role says stays the same; its version and expiry are new."
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo refresh public --key /etc/sealift/online.key",
        "renews the timestamp if it ends within 14 days"
      )
    ]
  )

  private let path: String
  private let seconds: Int64
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    seconds = try arguments.option("--within") { try readSpan($0) } ?? 14 * 86_400
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try await RepositoryChange(path: path, options: options, context: context).run {
      draft,
      _,
      now in draft.refresh(within: seconds, at: now)
    }
  }
}
