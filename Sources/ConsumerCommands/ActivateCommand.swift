import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Makes a version that the store has the active one.
struct ActivateCommand: Command {
  static let name = ["activate"]
  static let summary = "makes an installed version the active one"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL@VERSION", "the version")],
    options: [
      OptionHelp(
        "--runtime",
        value: "NAME=VERSION",
        occurrence: .repeatable,
        "states a runtime that will load the model"
      ),
      OptionHelp("--allow-downgrade", "accepts a version below one that was active before"),
      OptionHelp(
        "--trial",
        value: "N",
        "lets sealift exec start it N times; unless it is marked good, the version before returns then"
      ),
    ],
    details: ["A version that was marked bad loses that mark when it is activated by name."],
    examples: [
      ExampleHelp("sealift activate lfm2-2.6b@1.0.0", "switches to version 1.0.0"),
      ExampleHelp("sealift activate lfm2-2.6b@1.1.0 --trial 3", "tries version 1.1.0"),
    ]
  )

  private let reference: VersionReference
  private let runtimes: [RuntimeStatement]
  private let isDowngradeAllowed: Bool
  private let trial: Int?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    runtimes = try arguments.options("--runtime") { try RuntimeStatement($0) }
    isDowngradeAllowed = try arguments.flag("--allow-downgrade")
    trial = try arguments.option("--trial") { try parseCount($0, in: 1...1_000_000) }
    reference = try arguments.operand("MODEL@VERSION") { try VersionReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let model = try client.storedModel(reference.model)
    try await client.reconcile(model)
    if trial != nil { try requireInactive(reference.version, in: model) }
    let change = VersionSwitch(
      policy: try client.policy(),
      runtimes: try client.statedRuntimes(overriddenBy: runtimes),
      now: try Timestamp.current()
    )
    let record = try await change.activate(
      reference.version,
      of: model,
      consent: isDowngradeAllowed ? .anyVersion : .returnToPrevious,
      trial: trial
    )
    record.tell(at: model.filesPath(of: record.active.name), context.console)
    return .done
  }

  /// A version that is active is good, or on a trial of its own, which goes on.
  private func requireInactive(_ version: Version, in model: borrowing StoredModel) throws {
    guard let record = try model.recordState().record,
      try model.versionNames().contains(record.active.name),
      try model.versionName(version) == record.active.name
    else { return }
    throw UsageError(
      "\(model.name) \(version) is active already, so no trial begins",
      helps: ["activate another version first, or leave out --trial"]
    )
  }
}
