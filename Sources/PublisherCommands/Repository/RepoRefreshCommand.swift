import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Trust

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
      ),
      OptionHelp(
        "--timestamp-above",
        value: "N",
        "makes a timestamp.json that was lost anew, with a version above N, the highest that clients may have seen"
      ),
    ] + RepositoryOptions.help,
    details: [
      "Made for a daily job: where nothing is due, nothing changes, and it ends with 0. The timestamp, which is due most often, "
        + "takes no key but its own. What a role says stays the same; its version and expiry are new.",
      "What is due and lacks its keys here is named and left out, and it ends with 10; --stage leaves all for others to sign. "
        + "While a change waits for signatures, the timestamp alone is renewed.",
      "It also brings back what the tree has twice: the newest numbered root from metadata/root.json, or that copy from it. "
        + "A timestamp that is made anew names the snapshot of the highest number; a publication that was interrupted is completed first.",
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
  private let floor: Int?
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    seconds = try arguments.option("--within") { try readSpan($0) } ?? 14 * 86_400
    floor = try arguments.option("--timestamp-above") { try parseCount($0, in: 0...(1 << 53 - 2)) }
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let change = RepositoryChange(path: path, options: options, context: context)
    let signers = try await change.openSigners()
    let tree = try RepositoryTree(path: path)
    return try change.locked(tree) { tree in
      let now = try Timestamp.current()
      if let place = try tree.restoreNumberedRoot() {
        context.console.print("brought \(place) back")
      }
      // A publication that was interrupted may bring the timestamp itself, and was made for the one that was lost.
      let isWaiting = try change.recover(tree)
      try restoreTimestamp(tree, signers, context.console, now)
      let base = try tree.state(at: now)
      if try tree.restoreNewestRoot(base.root) {
        context.console.print("brought \(RepositoryLayout.newestRoot) back")
      }
      let left = try renew(change, tree, signers, base, isWaiting: isWaiting, now)
      for role in left {
        context.console.warn(
          Diagnostic(notRenewed: role, isWaiting: isWaiting && role != .timestamp)
        )
      }
      return left.isEmpty ? .done : .findings
    }
  }

  /// Makes the timestamp anew, if that is asked for.
  private func restoreTimestamp(
    _ tree: borrowing RepositoryTree,
    _ signers: [RepositorySigner],
    _ console: Console,
    _ now: Timestamp
  ) throws {
    guard let floor else { return }
    let version = try tree.restoreTimestamp(
      above: floor,
      by: signers,
      lifetimes: options.lifetimes,
      at: now
    )
    console.print("made metadata/timestamp.json anew, version \(version)")
  }

  /// Renews what can be; returns what is due and could not.
  private func renew(
    _ change: RepositoryChange,
    _ tree: borrowing RepositoryTree,
    _ signers: [RepositorySigner],
    _ base: RepositoryState,
    isWaiting: Bool,
    _ now: Timestamp
  ) throws -> [RoleName] {
    var draft = RepositoryDraft(base: base, lifetimes: options.lifetimes)
    let mayStage = options.allowsStaging && !isWaiting
    let keys = mayStage ? nil : Set(signers.map(\.publicKey))
    let left = draft.refresh(within: seconds, at: now, by: keys, isBesideAnother: isWaiting)
    if draft.isEmpty, !left.isEmpty, !isWaiting {
      // Nothing of what is due can be renewed: say whose signatures that takes.
      _ = draft.refresh(within: seconds, at: now)
    }
    change.tell(try change.finish(&draft, tree, signers, now, mayStage: mayStage))
    return left
  }
}
