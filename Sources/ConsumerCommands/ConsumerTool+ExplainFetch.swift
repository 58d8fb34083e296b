import CommandErrors
import CommandLineKit
import Transfers

extension ConsumerTool {
  private static let again =
    "run the same command again; what is verified is not fetched again"

  /// Why files could not be fetched, with a line for each mirror.
  static func explain(_ error: FetchError) -> Diagnostic {
    switch error.kind {
    case .local(let failure): return Diagnostic(failure).noting("file \(error.label)")
    case .cancelled: return Diagnostic(.interrupted, "interrupted", helps: [again])
    case _ where error.report.mirrors.isEmpty:
      // No later run of the same command can do better.
      return Diagnostic(
        .usage,
        kind: .noMirror,
        "the manifest names no mirror",
        helps: ["--mirror TEMPLATE names one, such as 'https://HOST/PATH/{name}'"]
      )
    default:
      return Diagnostic(
        error.kind == .integrity ? .wrongBytes : .network,
        kind: word(for: error.kind),
        "\(error.label): \(sentence(error.kind))",
        notes: MirrorReport(error.report).lines + agreement(error.report),
        helps: [help(error.kind)]
      )
    }
  }

  /// Why a manifest could not be fetched from its URL, which the error names without its secrets.
  static func explain(manifest error: FetchError) -> Diagnostic {
    switch error.kind {
    case .local(let failure): return Diagnostic(failure)
    case .cancelled: return Diagnostic(.interrupted, "interrupted")
    default:
      return Diagnostic(
        .network,
        kind: word(for: error.kind),
        "the manifest cannot be fetched from \(error.label)",
        notes: MirrorReport(error.report).lines,
        helps: [canPass(error.kind) ? "run the same command again" : "check the URL"]
      )
    }
  }

  /// Whether the same command may succeed a little later.
  private static func canPass(_ kind: FetchError.Kind) -> Bool {
    kind == .network || kind == .offline
  }

  private static func sentence(_ kind: FetchError.Kind) -> String {
    switch kind {
    case .integrity: "every mirror serves wrong bytes"
    case .offline: "no network"
    default: "every mirror failed"
    }
  }

  private static func help(_ kind: FetchError.Kind) -> String {
    switch kind {
    case .auth: "name a mirror that gives access with --mirror"
    case .missing: "name a mirror that has the file with --mirror, or tell the publisher"
    case .integrity, .protocolViolation:
      "name a better mirror with --mirror, or tell the publisher"
    default: again
    }
  }

  private static func word(for kind: FetchError.Kind) -> DiagnosticKind {
    switch kind {
    case .integrity: .integrity
    case .offline: .offline
    case .auth: .auth
    case .missing: .missing
    case .protocolViolation: .protocolViolation
    default: .network
    }
  }

  private static func agreement(_ report: FetchReport) -> [String] {
    report.mirrorsAgreeOnWrongBytes
      ? ["the mirrors agree with each other, but not with the manifest"] : []
  }
}
