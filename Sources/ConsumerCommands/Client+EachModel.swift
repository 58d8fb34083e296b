import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import SystemFiles

extension Client {
  /// Does `work` for each of these models, in turn.
  ///
  /// What is wrong in the folder of one model is told, and stops no other; any other error ends the command.
  /// - Returns: The exit code of what was told; nil if nothing was.
  func forEach(
    _ names: [ModelName],
    _ work: (ModelName) async throws -> Void
  ) async throws -> ExitCode? {
    var code: ExitCode?
    for name in names {
      do {
        try await work(name)
      } catch {
        code = try tell(error, about: name)
      }
    }
    return code
  }

  /// Whether an error is about what lies in the folder of a model, and not about this run.
  static func isMatterOfOneModel(_ error: any Error) -> Bool {
    error is SystemError || error is StoreError
  }

  /// Tells what went wrong with one model; throws what is no matter of its folder.
  func tell(_ error: any Error, about name: ModelName) throws -> ExitCode {
    guard Self.isMatterOfOneModel(error) else { throw error }
    let found = ConsumerTool.explain(error)
    console.report(
      Diagnostic(
        found.exitCode,
        kind: found.kind,
        found.message,
        notes: found.notes + ["it is a matter of \(name); other models are not concerned"],
        helps: error is StoreError
          ? found.helps
          : ["look at what stands there and move it away, or try sealift doctor --fix \(name)"]
      )
    )
    return found.exitCode
  }

  /// Names what lies among the folders of the models and is none; returns the exit code that it asks for.
  func tellOddEntries(of store: borrowing Store) throws -> ExitCode? {
    let entries = try store.oddEntries()
    for place in entries {
      console.report(
        Diagnostic(
          .localFailure,
          kind: .oddEntry,
          "\(place) is not the folder of a model",
          helps: ["move it away; if it was a model, install that again"]
        )
      )
    }
    return entries.isEmpty ? nil : .localFailure
  }
}
