import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON
import Trust

struct RepoWithdrawCommand: Command {
  static let name = ["repo", "withdraw"]
  static let summary = "withdraws a release from a repository, for good"
  static let help = CommandHelp(
    operands: [
      OperandHelp("DIR", "the folder of the repository"),
      OperandHelp("MODEL@VERSION", accepts: .text, "a release that is listed"),
    ],
    options: [
      OptionHelp(
        "--reason",
        value: "TEXT",
        occurrence: .required,
        "why, in one line that clients show"
      )
    ] + RepositoryOptions.help,
    details: [
      "Clients refuse the release for new installs and tell those who have it; nothing is deleted anywhere. A withdrawn "
        + "version never comes back: publish a new one.",
      "A mirror that keeps serving the old state can hide this from clients until the timestamp of that state expires; the "
        + "command says when that is. A withdrawal that waits for signatures withdraws nothing yet.",
      "It is published even while another change waits for signatures, if its own keys are all here. The other waits on: its root "
        + "and policy keep the signatures they have, lists are made for the new state and take theirs anew. Where both change the "
        + "same, the one that waits is outdated, and repo status says so; nothing of it is lost until repo sign --discard.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo withdraw public tiny@1.1.0 --reason 'wrong tokenizer' --key keys/release.key",
        "withdraws a release"
      )
    ]
  )

  private let path: String
  private let release: ReleaseReference
  private let reason: String
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    reason = try arguments.requiredOption("--reason") { try readReason($0) }
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    release = try arguments.operand("MODEL@VERSION") { try ReleaseReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    var end: Timestamp?
    let outcome = try await RepositoryChange(path: path, options: options, context: context).make(
      isUrgent: true
    ) {
      draft,
      tree,
      now in
      let digest = try payloadDigest(draft, tree)
      try draft.withdraw(
        WithdrawnRelease(
          model: release.model,
          version: release.version,
          manifest: digest,
          reason: reason,
          time: now
        ),
        at: now
      )
      end = draft.base?.timestamp.contents.header.expires
    }
    if case .published = outcome, let end {
      context.console.print("effective for every client by \(end)")
      context.console.inform(
        "until then a mirror can keep the old state from those who see no other"
      )
      context.console.summarize(["effectiveBy": .string(end.text)])
    }
    return .done
  }

  private func payloadDigest(
    _ draft: RepositoryDraft,
    _ tree: borrowing RepositoryTree
  ) throws -> SHA256Digest {
    let text = RepositoryPath.manifest(of: release.model, release.version)
    guard let path = TargetPath(text), let file = draft.file(at: path) else {
      if let old = draft.base?.withdrawn.releases.first(where: {
        $0.model == release.model && $0.version == release.version
      }) {
        throw RepositoryProblem.withdrawn(release.model, release.version, reason: old.reason)
      }
      throw RepositoryProblem.noSuchRelease(release.model, release.version)
    }
    return try Envelope(parsing: try tree.document(path, file)).payloadDigest
  }
}
