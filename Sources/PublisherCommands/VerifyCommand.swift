import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import Trust
import Verification

struct VerifyCommand: Command {
  static let name = ["verify"]
  static let summary = "checks who signed a manifest, and files against it"
  static let help = CommandHelp(
    operands: [
      OperandHelp("MANIFEST", "the manifest"),
      OperandHelp("PUB", arity: .any, "further public keys, as after --key"),
    ],
    options: [
      OptionHelp(
        "--key",
        value: "PUB",
        occurrence: .repeatedAtLeastOnce,
        "a public key: a file, or its one-line form"
      ),
      OptionHelp(
        "--threshold",
        value: "N",
        "how many of the keys must have signed, 1 unless given"
      ),
      OptionHelp("--files", value: "DIR", "compares the files in this folder, every byte of them"),
    ],
    details: [
      "Prints who signed. The manifest is not accepted (exit code 6) unless enough of the keys signed these very "
        + "bytes; one that was signed and is unusable ends with 9, and files that differ end with 5."
    ],
    examples: [
      ExampleHelp(
        "sealift-publish verify m.json --key keys/a.pub --key keys/b.pub --threshold 2 --files release",
        "demands both signatures and the right files"
      )
    ]
  )

  private let path: String
  private let keys: [KeyArgument]
  private let threshold: Int
  private let folder: String?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let keys = try arguments.options("--key") { KeyArgument($0) }
    threshold = try arguments.option("--threshold") { try parseCount($0, in: 1...64) } ?? 1
    folder = try arguments.option("--files") { $0 }
    path = try arguments.operand("MANIFEST") { $0 }
    let others = try arguments.operands("PUB") { KeyArgument($0) }
    guard !keys.isEmpty else { throw UsageError("--key is missing") }
    self.keys = keys + others
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let keys = try keys.map { try $0.key(context) }
    let check = try ManifestCheck(keys: keys, threshold: threshold)
    let bytes = try ManifestFile.bytes(at: path)
    let accepted = try check.accept(bytes, at: try Timestamp.current())
    context.console.warnAboutForgeries(
      in: try Envelope(parsing: bytes),
      of: keys.map(\.publicKey),
      "it does not count; other signatures do"
    )
    report(accepted, context.console)
    guard let folder else { return .done }
    return try await compare(accepted.release, with: folder, context.console)
  }

  private func report(_ accepted: AcceptedManifest, _ console: Console) {
    for signer in accepted.signers {
      console.print("signed by \(signer.fingerprint)  \(signer.name)")
      console.event(
        "signer",
        ["fingerprint": .string(signer.fingerprint.description), "name": .string(signer.name)]
      )
    }
    let release = accepted.release
    console.print(
      "accepted \(release.model) \(release.version): "
        + "\(accepted.signers.count) of \(counted(keys.count, "key")) signed, \(threshold) needed"
    )
    var members = ReleaseSummary(release).members
    members["manifestSha256"] = .string(accepted.digest.hex)
    members["signers"] = .array(
      accepted.signers.map { .string($0.fingerprint.description) }
    )
    members["threshold"] = .integer(Int64(threshold))
    console.summarize(members)
  }

  private func compare(
    _ release: Release,
    with path: String,
    _ console: Console
  ) async throws -> ExitCode {
    let folder = try Folder(path: path)
    let display = ProgressDisplay(console, label: "comparing", total: release.size)
    let findings = try await StopFlag.withFlag { stop in
      try await withProgress(display) { display in
        try ReleaseCheck(release).findings(in: folder) { count in
          display.advance(by: count)
          return !stop.isRaised
        }
      }
    }
    console.summarize(["findings": .integer(Int64(findings.count))])
    guard !findings.isEmpty else {
      console.print(
        "\(path) holds \(counted(release.files.count, "file")) as in the manifest, and nothing else"
      )
      return .done
    }
    return console.report(findings, in: path)
  }
}
