import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Transfers
import Trust

/// Makes a damaged version whole again.
struct RepairCommand: Command {
  static let name = ["repair"]
  static let summary = "makes a damaged version whole, and fetches only the chunks that are wrong"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL[@VERSION]", "the version; the active one by default")],
    options: [
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "asks this mirror first; {sha256} {name} {model} {version} are filled in"
      ),
      OptionHelp("--dry-run", "says what is wrong and where the bytes would come from"),
      OptionHelp("--wait", "waits while another process is at work on the model, whatever it does"),
      OptionHelp("--no-wait", "ends with exit code 7 if another process is at work on the model"),
    ] + TransferFlags.options,
    details: [
      """
      Reads every byte of the version. The trust policy must accept its manifest as if it were installed now; otherwise \
      nothing is changed. A file that is wrong is made anew beside the old one: of its own chunks that are right, of \
      those that other installed versions have, and of mirrors for the rest. It takes the place of the old file at one \
      instant, and programs that have the old one open keep it; where the file system cannot exchange names, a name is \
      empty for a moment, and after a kill until the next run. Which version is active does not change.
      """,
      """
      What is taken out of the version, such as wrong files and files that the manifest does not have, lies in the trash \
      of the model for a day, or until a download needs the space. A file without chunks in its manifest is fetched whole.
      """,
    ],
    examples: [
      ExampleHelp("sealift repair lfm2-2.6b", "repairs the active version"),
      ExampleHelp("sealift repair lfm2-2.6b@1.0.0 --dry-run", "shows what a repair would fetch"),
    ]
  )

  private let reference: ModelReference
  private let mirrors: [MirrorTemplate]
  private let isDryRun: Bool
  private let waiting: InstallWaiting
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    isDryRun = try arguments.flag("--dry-run")
    waiting = try InstallWaiting(&arguments)
    transfer = try TransferFlags(&arguments)
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let now = try Timestamp.current()
    let policy = try client.policy()
    // Nothing is opened for changing it before the manifest is accepted.
    let reader = try client.store(having: reference.model).model(reference.model)
    let name = try reference.name(in: reader)
    var request = InstallRequest(try reader.acceptForRepair(name, by: policy, now: now))
    request.mirrors = mirrors
    request.lastMirrors = try client.impliedMirrors(of: reference.model)
    request.transfer = try transfer.options(client, context)
    request.waiting = waiting
    request.installed = InstalledFiles(store: client.folders.store, policy: policy, now: now)
    request.warnAboutPlainMirrors(context.console)
    let reporter = InstallReporter(context.console)
    defer { reporter.finish() }
    let installer = Installer(request, now: now) { reporter.note($0) }
    if isDryRun {
      let plan = try await installer.repairPlan(in: reader)
      reporter.finish()
      RepairPage(name, of: reference.model, context.console).tell(plan)
      return .done
    }
    let outcome: RepairOutcome
    do {
      outcome = try await installer.repair(in: try client.storeForChanging())
    } catch let error as FetchError {
      reporter.finish()
      MirrorReport(error.report).tell(context.console)
      throw error
    }
    reporter.finish()
    context.console.warnAboutHashing()
    RepairPage(name, of: reference.model, context.console).tell(outcome)
    return .done
  }
}
