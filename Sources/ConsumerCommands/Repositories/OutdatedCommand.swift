import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Says which installed models are not at the newest release that they can have.
struct OutdatedCommand: Command {
  static let name = ["outdated"]
  static let summary =
    "says which models are behind what their repositories offer; installs nothing"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "MODEL",
        arity: .any,
        "the models; all that are installed from repositories by default"
      )
    ],
    options: [
      OptionHelp(
        "--runtime",
        value: "NAME=VERSION",
        occurrence: .repeatable,
        "states a runtime that will load the model"
      )
    ] + TransferFlags.options,
    details: [
      """
      Asks each repository once. Exit code 10 says that a model is outdated or withdrawn, 0 that none is. Newer releases \
      that the stated runtimes do not allow are named, and make no model outdated.
      """
    ],
    examples: [
      ExampleHelp(
        "sealift outdated; [ $? -ne 10 ] || sealift update",
        "updates if something is behind, and not where nobody could be asked"
      )
    ]
  )

  private let models: [ModelName]
  private let runtimes: [RuntimeStatement]
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    runtimes = try arguments.options("--runtime") { try RuntimeStatement($0) }
    transfer = try TransferFlags(&arguments)
    models = try arguments.operands("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let console = context.console
    var table = TextTable(["MODEL", "ACTIVE", "NEWEST", "STATE"])
    var (offered, outdated) = (0, 0)
    let (count, code) = try await client.forEachOffer(
      of: models,
      try transfer.options(client, context),
      given: try client.statedRuntimes(overriddenBy: runtimes),
      now: try Timestamp.current()
    ) { offer in
      for passed in offer.chosen.passed { console.inform("\(offer.model) \(passed.words)") }
      console.event("model", offer.members)
      table.append([
        offer.model.text, offer.active.version.text,
        offer.chosen.accepted.release.version.text, offer.words,
      ])
      offered += 1
      if offer.isNews || offer.withdrawal != nil { outdated += 1 }
    }
    if count == 0 {
      console.inform("no installed model belongs to a repository")
    } else if offered > 0 {
      console.print(table)
    }
    console.summarize([
      "models": .integer(Int64(count)), "outdated": .integer(Int64(outdated)),
    ])
    return code ?? (outdated > 0 ? .findings : .done)
  }
}
