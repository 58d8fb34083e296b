import CommandErrors
import CommandLineKit
import Publishing
import Trust

struct RepoChannelCommand: Command {
  static let name = ["repo", "channel"]
  static let summary = "puts releases into channels, and takes them out"
  static let help = CommandHelp(
    operands: [
      OperandHelp("DIR", "the folder of the repository"),
      OperandHelp("MODEL@VERSION", arity: .atLeastOne, accepts: .text, "a release that is listed"),
    ],
    options: [
      OptionHelp(
        "--add",
        value: "NAME",
        occurrence: .repeatable,
        "a channel that gets the releases"
      ),
      OptionHelp(
        "--remove",
        value: "NAME",
        occurrence: .repeatable,
        "a channel that has them no longer"
      ),
    ] + RepositoryOptions.help,
    details: [
      "The manifest stays as it is, byte for byte: channels stand in the list of releases, which the targets keys sign. A "
        + "release in no channel is there for those who ask for its version."
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo channel public tiny@1.1.0 --add stable --key keys/release.key",
        "makes a release of the beta channel the stable one, too"
      )
    ]
  )

  private let path: String
  private let releases: [ReleaseReference]
  private let added: [ChannelName]
  private let removed: [ChannelName]
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    added = try arguments.options("--add") { try ChannelName($0) }
    removed = try arguments.options("--remove") { try ChannelName($0) }
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    releases = try arguments.operands("MODEL@VERSION", atLeast: 1) { try ReleaseReference($0) }
    try arguments.finish()
    guard !added.isEmpty || !removed.isEmpty else {
      throw UsageError("no channel is named", helps: ["--add NAME, or --remove NAME"])
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try await RepositoryChange(path: path, options: options, context: context).run {
      draft,
      _,
      now in
      for release in releases {
        try draft.setChannels(of: release.model, release.version, at: now) { channels in
          channels.subtract(removed)
          channels.formUnion(added)
        }
      }
    }
  }
}
