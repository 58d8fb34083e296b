import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import Transfers
import Trust

/// Fetches, verifies and activates a release, of a repository or of a manifest that is named.
struct InstallCommand: Command {
  static let name = ["install"]
  static let summary = "fetches a release from its mirrors, verifies every byte, and activates it"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "WHAT",
        "MODEL or MODEL@RANGE of a repository; or a manifest: a URL, or a file whose name starts with / ./ ../ or ends in .json"
      )
    ],
    options: InstallFlags.options + [
      OptionHelp("--channel", value: "NAME", "takes releases of this channel; stable by default"),
      OptionHelp("--no-activate", "leaves the active version as it is"),
      OptionHelp("--allow-downgrade", "accepts a version below one that was active before"),
    ] + TransferFlags.options,
    details: [
      """
      A model is had from the repository to which it belongs: the newest release of the channel that the stated runtimes \
      allow; newer ones are named with the reason. A range is a version, the numbers with which one begins such as 1 or \
      1.2, or FROM..TO, both of them versions such as 1.2.0, with one end left out if it does not \
      matter; a version that is named may be in any channel. Channel and range are remembered for sealift update. A release that the repository has withdrawn is refused.
      """,
      """
      While another process installs the same release, its progress is shown, and both end with the same result. The \
      manifest is used only if the trust policy accepts its signatures. Whatever fails, the version that was \
      active stays active; bytes that were verified are not fetched again by the next run.
      """,
    ],
    examples: [
      ExampleHelp("sealift install acme/tiny-chat@1 --channel beta", "installs from a repository"),
      ExampleHelp(
        "sealift install ./manifests/lfm2-2.6b/1.0.0.json",
        "installs from a manifest file"
      ),
      ExampleHelp(
        "sealift install https://example.com/lfm2.json --runtime llama.cpp=b5873",
        "installs from a manifest URL for a runtime"
      ),
    ]
  )

  private let target: InstallTarget
  private let channel: ChannelName?
  private let activates: Bool
  private let isDowngradeAllowed: Bool
  private let flags: InstallFlags
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    flags = try InstallFlags(&arguments)
    channel = try arguments.option("--channel") { try ChannelName($0) }
    activates = try !arguments.flag("--no-activate")
    isDowngradeAllowed = try arguments.flag("--allow-downgrade")
    transfer = try TransferFlags(&arguments)
    target = try arguments.operand("WHAT") { try InstallTarget($0) }
    try arguments.finish()
    if channel != nil, case .manifest = target {
      throw UsageError("--channel is about a model of a repository, and a manifest is given")
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let options = try transfer.options(client, context)
    let now = try Timestamp.current()
    switch target {
    case .manifest(let source):
      let manifest = try await source.envelope(options)
      let accepted = try client.policy().accept(manifest, at: now)
      try await install(accepted, client, options, now)
    case .model(let wanted):
      let wish = try self.wish(for: wanted, client)
      let chosen = try await choose(wanted.model, wish, client, options, now)
      chosen.tell(context.console)
      try await install(chosen.accepted, client, options, now)
      if activates { try client.channels.set(wish, for: wanted.model) }
    }
    return .done
  }

  /// The channel that is named, or else the one that was named last; and the range that is named.
  private func wish(for wanted: ModelDemand, _ client: Client) throws -> ChannelFile.Wish {
    let last = try client.channels.load()[wanted.model] ?? ChannelFile.Wish()
    return ChannelFile.Wish(channel: channel ?? last.channel, range: wanted.range)
  }

  private func choose(
    _ model: ModelName,
    _ wish: ChannelFile.Wish,
    _ client: Client,
    _ options: FetchOptions,
    _ now: Timestamp
  ) async throws -> ChosenRelease {
    let repository = try client.repository(of: model)
    let followed: FollowedRepository
    do {
      followed = try await client.follow(repository, options, now: now)
    } catch let failure as Diagnostic {
      throw noting(failure, whetherActive: model, wish, client)
    }
    let demand =
      channel.map { ReleaseDemand(channel: $0, range: wish.range) } ?? wish.demand
    return try await followed.choose(
      demand,
      of: model,
      by: try client.policy(),
      given: activates ? try flags.statedRuntimes(client) : nil,
      now: now
    )
  }

  /// The failure to ask a repository, with a word about a version that is wanted and active here already.
  ///
  /// A store that cannot be read says nothing, and takes the place of no failure.
  private func noting(
    _ failure: Diagnostic,
    whetherActive model: ModelName,
    _ wish: ChannelFile.Wish,
    _ client: Client
  ) -> Diagnostic {
    let active: ActiveRecord.Entry
    do {
      guard let store = try Store.open(reading: client.folders.store),
        try store.modelNames().contains(model),
        let entry = try store.model(model).recordState().record?.active,
        wish.range.contains(entry.version)
      else { return failure }
      active = entry
    } catch {
      return failure
    }
    return Diagnostic(
      failure.exitCode,
      kind: failure.kind,
      failure.message,
      notes: failure.notes + ["\(model) \(active.version) is installed and active"],
      helps: failure.helps
    )
  }

  private func install(
    _ accepted: AcceptedManifest,
    _ client: Client,
    _ options: FetchOptions,
    _ now: Timestamp
  ) async throws {
    var request = try flags.request(accepted, client, options)
    request.activates = activates
    request.consent = isDowngradeAllowed ? .anyVersion : .none
    try await client.install(request, now: now)
  }
}
