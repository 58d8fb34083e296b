import Auditing
import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Signatures
import SystemFiles

/// The options of `audit` that make a signed report of it, chained to the one before.
struct AuditSigning: Sendable {
  static let options =
    SignerOptions.help(key: "--sign") + [
      OptionHelp("--previous", value: "FILE", "the signed report that this one follows")
    ]

  private let source: SignerSource
  private let signer: SignerOptions
  /// The path of the report before this one.
  let previous: String?

  /// Takes the options off `arguments`; nil where nobody is named to sign.
  init?(_ arguments: inout ArgumentReader) throws(UsageError) {
    signer = try SignerOptions(&arguments, key: "--sign")
    previous = try arguments.option("--previous") { $0 }
    guard let source = signer.sources.first else {
      guard signer.publicKeys.isEmpty, previous == nil else {
        throw UsageError(
          "nobody is named to sign the report",
          helps: ["give one of --sign, --ssh-agent, --signer"]
        )
      }
      return nil
    }
    guard signer.sources.count == 1 else {
      throw UsageError("only one of --sign, --ssh-agent, --signer can be given")
    }
    self.source = source
  }

  /// Opens the key and reads the report before this one, so that neither stops an audit after hours of reading.
  ///
  /// From then on the passphrase is out of the environment, and the process writes no core dump.
  func makeReady(_ context: CommandContext) async throws -> ReportSigner {
    let previous = try previousReport()
    let expected = try signer.expectedKeys(context)
    return ReportSigner(try await source.makeReady(expecting: expected, context), after: previous)
  }

  private func previousReport() throws -> SHA256Digest? {
    guard let previous else { return nil }
    let envelope: Envelope
    do {
      let bytes = try OpenFile(reading: previous).readAll(limit: Envelope.maximumSize)
      envelope = try Envelope(parsing: bytes)
    } catch let error as SystemError {
      guard error.isNotFound else {
        throw SystemError(error.call, code: error.code, path: previous)
      }
      throw Diagnostic(.notFound, "there is no report \(previous)")
    } catch let error as ManifestError {
      throw Diagnostic(
        .notAccepted,
        kind: .noReport,
        "--previous \(previous) is no signed report",
        notes: [error.text]
      )
    }
    _ = try envelope.report()
    guard !envelope.signatures.isEmpty else {
      throw Diagnostic(
        .notAccepted,
        kind: .noReport,
        "--previous \(previous): nobody has signed it"
      )
    }
    return envelope.payloadDigest
  }
}

/// Signs a report, which follows another or is the first.
final class ReportSigner {
  private let signer: ReadySigner
  private let previous: SHA256Digest?

  init(_ signer: consuming ReadySigner, after previous: SHA256Digest?) {
    self.signer = signer
    self.previous = previous
  }

  /// The report in an envelope with a signature, which was verified, and the key that made it.
  func sign(_ report: AuditReport) throws -> (bytes: [UInt8], key: PublicKey) {
    try signer.lend(to: ReportSigning(envelope: try Envelope(report, after: previous)))
  }
}

/// The signature of one report.
private struct ReportSigning: SignerUse {
  let envelope: Envelope

  func use(
    _ signer: borrowing some Signer & ~Copyable
  ) throws -> (bytes: [UInt8], key: PublicKey) {
    (try envelope.signedReport(by: signer).encode(), signer.publicKey)
  }
}
