import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON
import Trust

struct RepoAddCommand: Command {
  static let name = ["repo", "add"]
  static let summary = "publishes signed manifests in a repository"
  static let help = CommandHelp(
    operands: [
      OperandHelp("DIR", "the folder of the repository"),
      OperandHelp(
        "MANIFEST",
        arity: .atLeastOne,
        "a signed manifest; several come in one publication"
      ),
    ],
    options: [
      OptionHelp(
        "--files",
        value: "DIR",
        "copies the files of the releases from this folder to blobs/, checking each; one that is there already is hashed, and "
          + "replaced only if it is wrong"
      ),
      OptionHelp(
        "--channel",
        value: "NAME",
        occurrence: .repeatable,
        "a channel of the releases; stable unless given"
      ),
      OptionHelp(
        "--no-channel",
        "lists the releases in no channel, for those who ask for the version"
      ),
    ] + RepositoryOptions.help,
    details: [
      "A manifest that the trust policy of the repository does not accept is refused, as clients would. A release is "
        + "immutable: one that is listed already with other bytes is refused, one with the same bytes changes nothing.",
      "Blobs come first, then manifests, then the lists, and the timestamp last, so that clients see the old state or the new "
        + "one. Whatever interrupts it, the next run completes what was begun. Beyond 1,000 releases the list is spread over "
        + "128 bins, so that one more release rewrites two of them.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish repo add public manifests/tiny/1.0.0.json --files tiny --key keys/release.key",
        "publishes a release with its files"
      ),
      ExampleHelp(
        "sealift-publish repo add public m.json --channel beta --key keys/release.key",
        "publishes a release for those who follow beta"
      ),
    ],
    goingOn: "run the same command again; clients see the old state until it is done"
  )

  private let path: String
  private let manifests: [String]
  private let files: String?
  private let channels: Set<ChannelName>
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    files = try arguments.option("--files") { $0 }
    let named = try arguments.options("--channel") { try ChannelName($0) }
    let hasNone = try arguments.flag("--no-channel")
    options = try RepositoryOptions(&arguments)
    path = try arguments.operand("DIR") { $0 }
    manifests = try arguments.operands("MANIFEST", atLeast: 1) { $0 }
    try arguments.finish()
    guard !hasNone || named.isEmpty else {
      throw UsageError("--channel and --no-channel exclude each other")
    }
    channels = hasNone ? [] : named.isEmpty ? [.stable] : Set(named)
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let releases = try manifests.map { try read($0) }
    let change = RepositoryChange(path: path, options: options, context: context)
    return try await change.run { draft, tree, now in
      try check(releases, draft.base, now)
      try draft.add(releases, at: now)
      tellOfOtherChannels(releases, draft, context.console)
      try copyFiles(releases, tree, context.console)
    }
  }

  private func read(_ path: String) throws -> RepositoryDraft.NewRelease {
    let file = try ManifestFile(reading: path)
    return RepositoryDraft.NewRelease(
      try file.release(),
      bytes: file.bytes,
      payloadDigest: file.envelope.payloadDigest,
      channels: channels
    )
  }

  /// Refuses what clients would refuse.
  private func check(
    _ releases: [RepositoryDraft.NewRelease],
    _ state: RepositoryState?,
    _ now: Timestamp
  ) throws {
    guard let policy = try state?.signedPolicy?.policy else { throw RepositoryProblem.noPolicy }
    for new in releases {
      do { _ = try policy.accept(new.bytes, at: now) } catch {
        throw RepositoryProblem.untrusted(new.release.model, error)
      }
    }
  }

  /// Says that a release which is listed already stays in its channels, where others were asked for.
  private func tellOfOtherChannels(
    _ releases: [RepositoryDraft.NewRelease],
    _ draft: RepositoryDraft,
    _ console: Console
  ) {
    for new in releases {
      let (model, version) = (new.release.model, new.release.version)
      guard let channels = draft.channels(of: model, version), channels != new.channels else {
        continue
      }
      console.warn(Diagnostic(listed: model, version, in: channels))
    }
  }

  private func copyFiles(
    _ releases: [RepositoryDraft.NewRelease],
    _ tree: borrowing RepositoryTree,
    _ console: Console
  ) throws {
    guard let files else {
      for new in releases {
        let missing = try tree.missingBlobs(of: new.release)
        if let first = missing.first {
          console.warn(Diagnostic(missing: missing.count, first, new.release))
        }
      }
      return
    }
    let size = releases.reduce(0) { $0 + $1.release.size }
    let display = ProgressDisplay(console, label: "copying", total: size)
    var copied = CopiedBlobs()
    for new in releases {
      try tree.copyBlobs(of: new.release, from: files, into: &copied) { display.advance(by: $0) }
    }
    display.finish()
    for path in copied.replaced { console.print("replaced the blob of \(path), which was damaged") }
    console.inform("copied \(counted(copied.bytes, "byte")) in \(counted(copied.files, "file"))")
    console.summarize([
      "copiedFiles": .integer(Int64(copied.files)), "copiedBytes": .integer(Int64(copied.bytes)),
      "replacedBlobs": .array(copied.replaced.map { .string($0.text) }),
    ])
  }
}
