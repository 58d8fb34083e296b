import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

/// Removes a version, or a whole model, from the store.
struct RemoveCommand: Command {
  static let name = ["remove"]
  static let summary = "removes a version, or a model with all its versions, from the store"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL[@VERSION]", "the model, or one version that is not active")],
    options: [
      OptionHelp(
        "--purge",
        "frees the space at once, and that of all that was removed of the model before"
      )
    ],
    details: [
      """
      What is removed can be had back for a day: installing the same release again fetches nothing. After that, or \
      when a download needs the space, it is deleted. A version that a process uses is not removed.
      """,
      "The downgrade floor of the model stays: an older release is no newer for being installed afresh.",
    ],
    examples: [ExampleHelp("sealift remove lfm2-2.6b@0.9.0", "takes one version away")]
  )

  private let reference: ModelReference
  private let isPurge: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isPurge = try arguments.flag("--purge")
    reference = try arguments.operand("MODEL[@VERSION]") { try ModelReference($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let model = try Client(context).storedModel(reference.model)
    let lock = try model.lockForInstall()
    // A removal that was killed has left what it was about to delete.
    try model.reconcile(holding: lock, now: try Timestamp.current())
    if let version = reference.version {
      try remove(version, from: model, holding: lock)
      context.console.print("removed \(reference.model) \(version)")
    } else {
      try model.removeAll(holding: lock)
      context.console.print("removed \(reference.model)")
    }
    if isPurge {
      for name in try model.emptyTrash() {
        context.console.inform("\(name) cannot be deleted now; sealift gc tries again")
      }
    }
    lock.release()
    var members: JSONObject = ["model": .string(reference.model.text)]
    members["version"] = (reference.version?.text).map { .string($0) }
    context.console.summarize(members)
    return .done
  }

  /// Takes a version away; one that was removed before, and is to be purged, may be in the trash alone.
  private func remove(
    _ version: Version,
    from model: borrowing StoredModel,
    holding lock: borrowing InstallLock
  ) throws {
    do {
      try model.remove(version, holding: lock)
    } catch let error as StoreError {
      guard isPurge, case .noSuchVersion = error, try model.canHaveBack(version) else {
        throw error
      }
    }
  }
}
