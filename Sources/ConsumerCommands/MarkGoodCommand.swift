import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

/// Says that a version works.
struct MarkGoodCommand: Command {
  static let name = ["mark", "good"]
  static let summary = "says that a version works, which ends its trial"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MODEL[@VERSION]", "the model; its active version unless one is named")
    ],
    options: [
      OptionHelp(
        "--lower-floor",
        "makes the active version the downgrade floor, though a higher one was active before"
      )
    ],
    details: [
      "The version loses the mark of a bad one, and no lower one is installed or activated from then on.",
      """
      Where somebody went back on purpose and the higher version is gone, --lower-floor says that the lower one is meant: \
      audits have nothing to say of it then, and versions between the two can be installed again.
      """,
    ],
    examples: [
      ExampleHelp("sealift mark good lfm2-2.6b", "keeps the version that is on trial"),
      ExampleHelp("sealift mark good lfm2-2.6b --lower-floor", "says that going back was meant"),
    ]
  )

  private let reference: ModelReference
  private let lowersFloor: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    lowersFloor = try arguments.flag("--lower-floor")
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let model = try client.storedModel(reference.model)
    try await client.reconcile(model)
    let name = try reference.name(in: model)
    if lowersFloor { try requireActive(name, in: model) }
    try model.markGood(name)
    if lowersFloor { try model.lowerFloor(to: name) }
    context.console.print(
      "\(reference.model) \(name.version) is good\(lowersFloor ? ", and the downgrade floor" : "")"
    )
    var members = reference.markMembers(name, isGood: true)
    if lowersFloor { members["floor"] = .string(name.version.text) }
    context.console.summarize(members)
    return .done
  }

  private func requireActive(_ name: VersionName, in model: borrowing StoredModel) throws {
    guard try model.activeRecord().active.name != name else { return }
    throw UsageError(
      "\(model.name) \(name.version) is not active, so it is no floor",
      helps: ["sealift activate \(model.name)@\(name.version) --allow-downgrade makes it active"]
    )
  }
}
