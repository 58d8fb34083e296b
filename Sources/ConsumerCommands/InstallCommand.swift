import CommandErrors
import CommandLineKit
import Digests
import Installing
import Manifests
import ModelStore
import StrictJSON
import Transfers
import Trust
import Verification

/// Fetches, verifies and activates a release.
struct InstallCommand: Command {
  static let name = ["install"]
  static let summary = "fetches a release from its mirrors, verifies every byte, and activates it"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "WHAT",
        "a manifest: a URL, or a file whose name starts with / ./ ../ or ends in .json"
      )
    ],
    options: [
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "asks this mirror first; {sha256} {name} {model} {version} are filled in"
      ),
      OptionHelp(
        "--runtime",
        value: "NAME=VERSION",
        occurrence: .repeatable,
        "states a runtime that will load the model"
      ),
      OptionHelp("--no-activate", "leaves the active version as it is"),
      OptionHelp("--allow-pickle", "accepts files that can run code when they are loaded"),
      OptionHelp("--allow-downgrade", "accepts a version below one that was active before"),
      OptionHelp("--wait", "waits while another process is at work on the model, whatever it does"),
      OptionHelp("--no-wait", "ends with exit code 7 even if the same release is being installed"),
      OptionHelp("--no-gc", "keeps older versions that no rule keeps"),
      OptionHelp("--full-hash", "checks the digest of whole files too, after that of the chunks"),
    ] + TransferFlags.options,
    details: [
      """
      While another process installs the same release, its progress is shown, and both end with the same result. The \
      manifest is used only if the trust policy accepts its signatures. Whatever fails, the version that was \
      active stays active; bytes that were verified are not fetched again by the next run.
      """
    ],
    examples: [
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
  private let mirrors: [MirrorTemplate]
  private let runtimes: [RuntimeStatement]
  private let activates: Bool
  private let isDowngradeAllowed: Bool
  private let isCodeAllowed: Bool
  private let isFullHash: Bool
  private let waiting: InstallWaiting
  private let collects: Bool
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    runtimes = try arguments.options("--runtime") { try RuntimeStatement($0) }
    activates = try !arguments.flag("--no-activate")
    isDowngradeAllowed = try arguments.flag("--allow-downgrade")
    isCodeAllowed = try arguments.flag("--allow-pickle")
    isFullHash = try arguments.flag("--full-hash")
    waiting = try InstallWaiting(&arguments)
    collects = try !arguments.flag("--no-gc")
    transfer = try TransferFlags(&arguments)
    target = try arguments.operand("WHAT") { try InstallTarget($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let options = try transfer.options(client, context)
    let now = try Timestamp.current()
    let manifest = try await manifestSource().envelope(options)
    var request = InstallRequest(try client.policy().accept(manifest, at: now))
    request.mirrors = mirrors
    request.runtimes = try client.statedRuntimes(overriddenBy: runtimes)
    request.activates = activates
    request.allowsCode = isCodeAllowed
    request.consent = isDowngradeAllowed ? .anyVersion : .none
    request.depth = isFullHash ? .everyByteAndWhole : .everyByte
    request.transfer = options
    request.waiting = waiting
    request.collects = collects
    request.warnAboutPlainMirrors(context.console)
    let reporter = InstallReporter(context.console)
    defer { reporter.finish() }
    request.installed = InstalledFiles(
      store: client.folders.store,
      policy: try client.policy(),
      now: now
    )
    let store = try client.storeForChanging()
    try await reconcile(request.accepted.release.model, in: store, client)
    let outcome: InstallOutcome
    do {
      outcome = try await Installer(request, now: now) { reporter.note($0) }.install(into: store)
    } catch let error as FetchError {
      reporter.finish()
      MirrorReport(error.report).tell(context.console)
      throw error
    }
    reporter.finish()
    context.console.warnAboutHashing()
    tell(outcome, request.accepted, context.console)
    return .done
  }

  /// Leaves a model alone that the store does not have yet.
  private func reconcile(
    _ name: ModelName,
    in store: borrowing Store,
    _ client: Client
  ) async throws {
    guard try store.modelNames().contains(name) else { return }
    try await client.reconcile(try store.modelForChanging(name))
  }

  private func manifestSource() throws -> ManifestSource {
    switch target {
    case .manifest(let source): return source
    case .model(let reference):
      throw Diagnostic(
        .notFound,
        kind: .noRepository,
        "no repository provides \(reference.model)",
        helps: ["give a manifest: a file such as ./\(reference.model.folderName).json, or a URL"]
      )
    }
  }

  private func tell(
    _ outcome: InstallOutcome,
    _ accepted: AcceptedManifest,
    _ console: Console
  ) {
    let release = accepted.release
    if let report = outcome.report { MirrorReport(report).tell(console) }
    let state = outcome.record == nil ? "ready" : "active"
    console.inform(
      "\(release.model) \(release.version) is \(state), signed by "
        + accepted.signers.map { "\($0.name) \($0.fingerprint)" }.joined(separator: ", ")
    )
    console.printVerbatim(Array("\(outcome.filesPath)\n".utf8))
    console.summarize([
      "model": .string(release.model.text), "version": .string(release.version.text),
      "state": .string(state), "path": .string(outcome.filesPath),
      "manifestSha256": .string(accepted.digest.hex),
      "fetchedBytes": .integer(Int64(outcome.report?.mirrors.reduce(0) { $0 + $1.goodBytes } ?? 0)),
      "resumedBytes": .integer(Int64(outcome.report?.resumedBytes ?? 0)),
      "reusedBytes": .integer(Int64(outcome.report?.reusedBytes ?? 0)),
    ])
  }
}
