import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Transfers
import Trust

/// Brings installed models to the newest release that their channel and the runtimes here allow.
struct UpdateCommand: Command {
  static let name = ["update"]
  static let summary = "installs the newest releases of models that belong to repositories"
  static let help = CommandHelp(
    operands: [
      OperandHelp(
        "MODEL",
        arity: .any,
        "the models; all that are installed from repositories by default"
      )
    ],
    options: InstallFlags.options + TransferFlags.options,
    details: [
      """
      Each repository is asked once. A model goes to the newest release that its channel and range, as sealift install \
      was told last, and the stated runtimes allow and that is not marked bad here; newer ones are \
      named with the reason. An active version that its repository has withdrawn gives way to the newest one that is not, \
      even to an older one; otherwise no model goes back. What fails with one model stops no other.
      """
    ],
    examples: [
      ExampleHelp("sealift update", "updates every model that belongs to a repository"),
      ExampleHelp("sealift outdated", "says before what would be updated"),
    ]
  )

  private let models: [ModelName]
  private let flags: InstallFlags
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    flags = try InstallFlags(&arguments)
    transfer = try TransferFlags(&arguments)
    models = try arguments.operands("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let options = try transfer.options(client, context)
    let now = try Timestamp.current()
    let statements = try flags.statedRuntimes(client)
    var updated = 0
    let (count, code) = try await client.forEachOffer(
      of: models,
      options,
      given: statements,
      now: now
    ) { offer in
      offer.chosen.tell(context.console)
      guard offer.isNews else {
        context.console.print("\(offer.model) \(offer.active.version): \(offer.words)")
        return
      }
      context.console.inform("\(offer.model) \(offer.active.version): \(offer.words)")
      try await client.install(
        try flags.request(offer.chosen.accepted, client, options),
        now: now
      )
      context.console.event(
        "updated",
        [
          "model": .string(offer.model.text), "from": .string(offer.active.version.text),
          "version": .string(offer.chosen.accepted.release.version.text),
        ]
      )
      updated += 1
    }
    if count == 0 { context.console.inform("no installed model belongs to a repository") }
    context.console.summarize([
      "models": .integer(Int64(count)), "updated": .integer(Int64(updated)),
    ])
    return code ?? .done
  }
}
