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

/// The options of commands that install releases.
struct InstallFlags {
  static let options = [
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
    OptionHelp("--allow-pickle", "accepts files that can run code when they are loaded"),
    OptionHelp("--wait", "waits while another process is at work on the model, whatever it does"),
    OptionHelp("--no-wait", "ends with exit code 7 even if the same release is being installed"),
    OptionHelp("--no-gc", "keeps older versions that no rule keeps"),
    OptionHelp("--full-hash", "checks the digest of whole files too, after that of the chunks"),
  ]

  private let mirrors: [MirrorTemplate]
  private let runtimes: [RuntimeStatement]
  private let isCodeAllowed: Bool
  private let isFullHash: Bool
  private let waiting: InstallWaiting
  private let collects: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    runtimes = try arguments.options("--runtime") { try RuntimeStatement($0) }
    isCodeAllowed = try arguments.flag("--allow-pickle")
    isFullHash = try arguments.flag("--full-hash")
    waiting = try InstallWaiting(&arguments)
    collects = try !arguments.flag("--no-gc")
  }

  /// The runtimes that are stated, those of the command line over those of the configuration.
  func statedRuntimes(_ client: Client) throws -> [RuntimeStatement] {
    try client.statedRuntimes(overriddenBy: runtimes)
  }

  /// What to install, as these options say.
  func request(
    _ accepted: AcceptedManifest,
    _ client: Client,
    _ options: FetchOptions
  ) throws -> InstallRequest {
    var request = InstallRequest(accepted)
    request.mirrors = mirrors
    request.lastMirrors = try client.impliedMirrors(of: accepted.release.model)
    request.runtimes = try statedRuntimes(client)
    request.allowsCode = isCodeAllowed
    request.depth = isFullHash ? .everyByteAndWhole : .everyByte
    request.transfer = options
    request.waiting = waiting
    request.collects = collects
    return request
  }
}

extension Client {
  /// Installs what was asked for, and tells how it goes and what came out.
  func install(_ asked: InstallRequest, now: Timestamp) async throws {
    var request = asked
    request.warnAboutPlainMirrors(console)
    let reporter = InstallReporter(console)
    defer { reporter.finish() }
    request.installed = InstalledFiles(store: folders.store, policy: try policy(), now: now)
    let store = try storeForChanging()
    let name = request.accepted.release.model
    for step in try await reconciler().reconcile(name, in: store) {
      ReconcileWords(step, of: name).tell(console)
    }
    let outcome: InstallOutcome
    do {
      outcome = try await Installer(request, now: now) { reporter.note($0) }.install(into: store)
    } catch let error as FetchError {
      reporter.finish()
      MirrorReport(error.report).tell(console)
      throw error
    }
    reporter.finish()
    console.warnAboutHashing()
    tell(outcome, request.accepted)
  }

  private func tell(_ outcome: InstallOutcome, _ accepted: AcceptedManifest) {
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
