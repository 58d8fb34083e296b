import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import SystemFiles

/// Starts a program that uses the active version.
struct ExecCommand: Command {
  /// What is asked of the bytes before the program starts.
  private enum Check: String, CaseIterable { case quick, full }

  static let name = ["exec"]
  static let summary =
    "starts a program with the active version, which stays until the program ends"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL", "the model"),
      OperandHelp("COMMAND", arity: .trailing, "the program and its arguments"),
    ],
    options: [
      OptionHelp(
        "--verify",
        value: "HOW",
        accepts: .words(Check.allCases.map(\.rawValue)),
        "quick, the default, asks whether the files are those that were verified; full reads every byte"
      )
    ],
    details: [
      """
      The program finds the folder of the files in MODEL_DIR and the version in MODEL_VERSION. It takes the place of \
      sealift, so signals and the exit code are its own, and as long as it or a child of it keeps its descriptors, \
      garbage collection keeps the version.
      """,
      """
      So the exit code is the program's: 0 to 255, whatever it means there. Before the program starts it is that of \
      sealift, as 3 for a model or program that is not there, 5 for a damaged version, 6 for one that is no longer \
      accepted and 8 for a program that may not be run; an error line on standard error tells which it is.
      """,
      """
      The trust policy is asked before each start: a version whose manifest or key is withdrawn, or which nobody vouches \
      for any more, does not start.
      """,
      """
      A start of a version on trial is counted before the program starts. When the starts are used up, the version is \
      marked bad and the one before it is started. In a store that cannot be written nothing is counted.
      """,
    ],
    examples: [
      ExampleHelp(
        "sealift exec lfm2-2.6b -- sh -c 'ls \"$MODEL_DIR\"'",
        "lists the files of the active version"
      )
    ]
  )

  private let model: ModelName
  private let check: Check
  private let command: [String]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    check =
      try arguments.option("--verify") { text throws(UsageError) in
        guard let check = Check(rawValue: text) else {
          throw UsageError("\(quoted(text)) is not quick or full")
        }
        return check
      } ?? .quick
    model = try arguments.operand("MODEL") { try ModelName($0) }
    command = try arguments.trailing("COMMAND")
    try arguments.finish()
    guard command.first?.isEmpty == false else {
      throw UsageError("COMMAND is missing", helps: ["write -- and the program after the model"])
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    // A start that cannot be is not counted.
    try requireProgram(command[0])
    let client = try Client(context)
    let console = context.console
    let start = ModelStart(
      now: try .current(),
      isFull: check == .full,
      policy: { try client.policy() },
      report: { tell($0, console) }
    )
    do {
      return try self.start(try await lease(by: start, client), console)
    } catch let error as ModelStart.StuckTrial {
      throw stuckTrial(error)
    }
  }

  private func lease(by start: ModelStart, _ client: Client) async throws -> LeasedModel {
    if let stored = try writableModel(client) {
      try await client.reconcile(stored)
      let leased = try await start.lease(stored)
      try warnIfBad(leased, in: stored, client.console)
      return leased
    }
    let stored = try client.store(having: model).model(model)
    let leased = try await start.leaseReading(stored)
    try warnIfBad(leased, in: stored, client.console)
    return leased
  }

  private func tell(_ event: ModelStart.Event, _ console: Console) {
    switch event {
    case .counted(let active, let left):
      console.detail("\(model) \(active.version) has \(left) starts left")
    case .uncounted:
      console.inform(
        "\(model) is on trial; the store cannot be written, so nothing is counted"
      )
    case .trialEnded(let active):
      ReconcileWords(.endTrial(active.name), of: model).tell(console)
    }
  }

  /// A bad version starts where nothing else is there to start, but not in silence.
  private func warnIfBad(
    _ leased: borrowing LeasedModel,
    in stored: borrowing StoredModel,
    _ console: Console
  ) throws {
    let active = leased.record.active
    guard let mark = try stored.badVersions().marks?.mark(of: active.name) else { return }
    console.warn(
      Diagnostic(
        .unusable,
        kind: .markedBad,
        "\(model) \(active.version) is marked bad, and no other version is active",
        notes: ["reason: \(mark.reason)"],
        helps: ["install or activate another version"]
      )
    )
  }

  /// The model for changing it; nil where the store cannot be written, or is somebody else's.
  private func writableModel(_ client: Client) throws -> StoredModel? {
    do {
      return try client.storedModel(model)
    } catch let error as SystemError {
      guard error.isNotWritable else { throw error }
      return nil
    } catch let error as StoreError {
      switch error {
      case .unsafeOwnership, .uselessLocks: return nil
      default: throw error
      }
    }
  }

  /// The starts are used up, and what was to return cannot.
  private func stuckTrial(_ stuck: ModelStart.StuckTrial) -> Diagnostic {
    let found = ConsumerTool.explain(stuck.cause)
    return Diagnostic(
      found.exitCode,
      kind: found.kind,
      found.message,
      notes: found.notes + ["the trial of \(stuck.active.version) has used up its starts"],
      helps: found.helps + ["sealift mark good \(model) keeps \(stuck.active.version)"]
    )
  }

  /// Lets the program take the place of this process; returns only by throwing.
  private func start(_ leased: borrowing LeasedModel, _ console: Console) throws -> ExitCode {
    try Task.checkCancellation()
    if leased.lease.isHeld {
      try leased.lease.keepAcrossExec()
    } else {
      console.warn(
        Diagnostic(
          .localFailure,
          kind: .noLease,
          "garbage collection is not told that \(model) is in use",
          notes: ["the store cannot be written, or another process holds its lease"]
        )
      )
    }
    console.endProgress()
    restoreDefaultSignals()
    try replaceProcess(
      with: command,
      settings: [
        ("MODEL_DIR", leased.filesPath), ("MODEL_VERSION", leased.record.active.version.text),
      ]
    )
  }
}
