import CommandErrors
package import CommandLineKit
import Installing
import Manifests
import ModelStore
import Repositories
import Transfers
import Verification

extension ConsumerTool {
  /// Puts an error of any layer into words, with the exit code of the design.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as StoreError: explain(error)
    case let error as InstallError: explain(error)
    case let error as FetchError: explain(error)
    case let error as RepositoryFault: explain(error)
    default: Diagnostic(common: error, for: .client)
    }
  }

  private static func words(for verdict: RuntimeVerdict) -> String {
    verdict.deciding.map { "\($0)" } ?? "\(verdict.state)"
  }

  /// What helps where a runtime is not stated, or where another version of it is needed.
  private static func helps(for verdict: RuntimeVerdict) -> [String] {
    let name = verdict.deciding.map { "\($0.requirement.name)" } ?? "NAME"
    let state = "--runtime \(name)=VERSION, or for good: sealift runtime set \(name)=VERSION"
    let probe = "sealift runtime probe PROGRAM asks a program for its version, and states it"
    guard let finding = verdict.deciding else {
      return ["state the runtime that will load it: \(state)", probe]
    }
    let needed = finding.requirement
    return switch finding.state {
    case .satisfied, .undetermined, .otherRuntime:
      ["state the runtime that will load it: \(state)", probe]
    case .tooOld:
      ["get \(needed.name) \(escaped(needed.minimum)) or a later one, and state it: \(state)"]
    case .exactMismatch: ["get \(needed.name) \(escaped(needed.minimum)), and state it: \(state)"]
    case .tooNew:
      [
        "use \(needed.name) before \(escaped(needed.below ?? "")), or ask the publisher for a newer release"
      ]
    case .excluded: ["use another version of \(needed.name), and state it: \(state)"]
    }
  }

  private static func explain(_ error: InstallError) -> Diagnostic {
    switch error {
    case .runtime(let model, let version, let verdict):
      Diagnostic(
        .unusable,
        kind: .runtime,
        "\(model) \(version) does not run here: \(words(for: verdict))",
        helps: helps(for: verdict)
      )
    case .runsCode(let model, let version, let paths):
      Diagnostic(
        .unusable,
        kind: .unsafeCode,
        "\(model) \(version) has files that can run code when they are loaded",
        notes: paths.prefix(16).map(\.text),
        helps: ["ask the publisher for safetensors, GGUF or ONNX, or agree with --allow-pickle"]
      )
    case .unusable(let model, let version, let findings):
      Diagnostic(
        .unusable,
        kind: .format,
        "\(model) \(version) is signed, and its bytes are the signed ones, but it cannot be used",
        notes: findings.map(\.text),
        helps: ["tell the publisher; another mirror would serve the same bytes"]
      )
    case .damagedOnDisk, .damagedVersion, .otherManifest: explainDamage(error)
    }
  }

  /// Words for bytes, or a manifest, that are not what they were when they were verified.
  private static func explainDamage(_ error: InstallError) -> Diagnostic {
    switch error {
    case .damagedOnDisk(let folder, let findings):
      Diagnostic(
        .localFailure,
        kind: .damagedOnDisk,
        "bytes that arrived right are wrong on disk, in \(folder)",
        notes: findings.map(\.text),
        helps: ["check the disk and its file system"]
      )
    case .damagedVersion(let name, let findings):
      Diagnostic(
        .wrongBytes,
        kind: .damagedVersion,
        "version \(name.version) in the store is damaged",
        notes: findings.map(\.text),
        helps: [
          "sealift repair MODEL@\(name.version) makes it whole, and fetches only what is wrong"
        ]
      )
    case .otherManifest(let name):
      Diagnostic(
        .notAccepted,
        kind: .otherManifest,
        "the manifest in the folder of version \(name.version) describes another release",
        helps: ["remove the version and install it again"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }
}
