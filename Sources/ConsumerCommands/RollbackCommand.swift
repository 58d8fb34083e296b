import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import Trust

/// Returns to the version that was active before.
struct RollbackCommand: Command {
  static let name = ["rollback"]
  static let summary = "makes the version active that was active before"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", "the model")],
    details: [
      """
      A second rollback returns to where the first one started. A model of a repository goes to the newest release again \
      with the next sealift update, unless sealift mark bad says not to, or sealift install MODEL@RANGE asks for others.
      """
    ],
    examples: [ExampleHelp("sealift rollback lfm2-2.6b", "returns to the previous version")]
  )

  private let model: ModelName

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    model = try arguments.operand("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let stored = try client.storedModel(model)
    let steps = try await client.reconcile(stored)
    if steps.contains(where: \.isRollBack) {
      // The active version was damaged, and the way back has been taken already.
      let record = try stored.activeRecord()
      record.tell(at: stored.filesPath(of: record.active.name), context.console)
      return .done
    }
    let change = VersionSwitch(
      policy: try client.policy(),
      runtimes: try client.statedRuntimes(),
      now: try Timestamp.current()
    )
    let record = try await change.rollBack(stored)
    record.tell(at: stored.filesPath(of: record.active.name), context.console)
    if let left = record.previous, try client.repositoryList().repository(for: model) != nil {
      context.console.inform(
        "sealift update goes to \(left.version) again if that is the newest; sealift mark bad "
          + "\(model)@\(left.version) --reason TEXT keeps from it"
      )
    }
    return .done
  }
}

extension ReconcileStep {
  fileprivate var isRollBack: Bool {
    if case .rollBack = self { true } else { false }
  }
}
