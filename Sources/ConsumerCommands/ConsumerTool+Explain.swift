package import CommandLineKit
import Verification
import Installing
import Manifests
import ModelStore
import Signatures
import StrictJSON
import SystemFiles
import Transfers
import Trust

extension ConsumerTool {
  /// Puts an error of any layer into words, with the exit code of the design.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as TrustError: explain(error)
    case let error as StoreError: explain(error)
    case let error as InstallError: explain(error)
    case let error as FetchError: explain(error)
    case let error as ManifestError: Diagnostic(.unusable, error.text)
    case KeyError.unreadable(let error), KeyError.unwritable(let error): explain(error)
    case let error as KeyError: Diagnostic(.localFailure, kind: "key", "\(error)")
    case let error as SystemError: explain(error)
    case let error as JSONSyntaxError:
      Diagnostic(.usage, kind: "configuration", "the configuration is not JSON: \(error)")
    case let error as JSONShapeError:
      Diagnostic(.usage, kind: "configuration", "the configuration is malformed: \(error)")
    default: Diagnostic(.internalError, "\(error)")
    }
  }

  private static func explain(_ error: SystemError) -> Diagnostic {
    let subject = error.path.map { "\($0): " } ?? ""
    let message = "\(subject)\(error.reason.prefix(1).lowercased())\(error.reason.dropFirst())"
    let notes = ["the system call is \(error.call)"]
    if error.isMissing { return Diagnostic(.notFound, kind: "noSuchFile", message, notes: notes) }
    if error.isDiskFull {
      return Diagnostic(
        .localFailure,
        kind: "noSpace",
        message,
        notes: notes,
        helps: ["free some space and run the same command again"]
      )
    }
    return Diagnostic(.localFailure, message, notes: notes)
  }

  private static func explain(_ error: InstallError) -> Diagnostic {
    switch error {
    case .runtime(let model, let version, let verdict):
      Diagnostic(
        .unusable,
        kind: "runtime",
        "\(model) \(version) does not run here: \(verdict)",
        helps: [
          "state the runtime that will load it: --runtime NAME=VERSION, or sealift runtime set"
        ]
      )
    case .unusable(let model, let version, let findings):
      Diagnostic(
        .unusable,
        kind: "format",
        "\(model) \(version) is signed, and its bytes are the signed ones, but it cannot be used",
        notes: findings.map(\.text),
        helps: ["tell the publisher; another mirror would serve the same bytes"]
      )
    case .damagedOnDisk(let findings):
      Diagnostic(
        .localFailure,
        kind: "damagedOnDisk",
        "bytes that arrived right are wrong on disk",
        notes: findings.map(\.text),
        helps: ["check the disk and its file system"]
      )
    case .damagedVersion(let name, let findings):
      Diagnostic(
        .wrongBytes,
        kind: "damagedVersion",
        "version \(name.version) in the store is damaged",
        notes: findings.map(\.text),
        helps: ["install it again from its manifest, with --no-activate if it is not to be active"]
      )
    case .otherManifest(let name):
      Diagnostic(
        .notAccepted,
        kind: "otherManifest",
        "the manifest in the folder of version \(name.version) describes another release",
        helps: ["remove the version and install it again"]
      )
    }
  }

  private static func explain(_ error: FetchError) -> Diagnostic {
    let notes = MirrorReport(error.report).lines
    let again = "run the same command again; what is verified is not fetched again"
    return switch error.kind {
    case .integrity:
      Diagnostic(
        .wrongBytes,
        kind: "integrity",
        "\(error.label): every mirror serves wrong bytes",
        notes: notes + agreement(error.report),
        helps: ["name a better mirror with --mirror, or tell the publisher"]
      )
    case .offline:
      Diagnostic(
        .network,
        kind: "offline",
        "\(error.label): no network",
        notes: notes,
        helps: [again]
      )
    case .network, .protocolViolation, .auth, .missing:
      Diagnostic(
        .network,
        kind: kind(of: error),
        "\(error.label): every mirror failed",
        notes: notes,
        helps: [again]
      )
    case .local(let failure): explain(failure)
    case .cancelled: Diagnostic(.interrupted, "interrupted", helps: [again])
    }
  }

  private static func kind(of error: FetchError) -> String {
    switch error.kind {
    case .auth: "auth"
    case .missing: "missing"
    case .protocolViolation: "protocol"
    default: "network"
    }
  }

  private static func agreement(_ report: FetchReport) -> [String] {
    report.mirrorsAgreeOnWrongBytes
      ? ["the mirrors agree with each other, but not with the manifest"] : []
  }
}
