import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import StrictJSON

struct SignCommand: Command {
  static let name = ["sign"]
  static let summary = "adds a signature to a manifest"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest, as build wrote it or others signed it")],
    options: [
      OptionHelp("--key", value: "FILE", occurrence: .required, "the private key"),
      OptionHelp(
        "--insecure-key-permissions",
        "takes a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options,
    details: [
      "Shows what is about to be signed, opens the key, verifies the signature and replaces the file at one "
        + "instant; what others have signed stays byte for byte. Who has signed already is refused.",
      "The passphrase is asked for on the terminal unless an option says where it is.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish sign manifests/tiny/1.0.0.json --key keys/release.key",
        "signs with a key file"
      )
    ],
    goingOn: "run the same command again; the manifest was not changed"
  )

  private let path: String
  private let keyPath: String
  private let source: PassphraseSource
  private let allowsInsecurePermissions: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    keyPath = try arguments.requiredOption("--key") { $0 }
    allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    source = try PassphraseSource(&arguments)
    path = try arguments.operand("MANIFEST") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let file = try ManifestFile(reading: path)
    let release = try file.envelope.release()
    console.inform("signing \(path)")
    for line in ReleaseSummary(release).lines { console.inform(line) }
    try warnIfExpired(release, console)
    let key = try await open(context)
    let signed = try file.envelope.signed(by: key)
    try file.replace(with: signed)
    console.print("signed by \(key.publicKey.fingerprint)")
    console.inform("signatures: \(signed.signatures.count)")
    var members = ReleaseSummary(release).members
    members["path"] = .string(path)
    members["manifestSha256"] = .string(signed.payloadDigest.hex)
    members["signer"] = .string(key.publicKey.fingerprint.description)
    members["signatures"] = .integer(Int64(signed.signatures.count))
    console.summarize(members)
    return .done
  }

  private func open(_ context: CommandContext) async throws -> SecretKey {
    do {
      let file = try PrivateKeyFile(
        path: keyPath,
        allowingInsecurePermissions: allowsInsecurePermissions
      )
      let passphrase: Passphrase? =
        file.isEncrypted ? try await source.passphrase(for: keyPath, context) : nil
      return try file.open(with: passphrase)
    } catch let error as KeyError {
      throw context.explain(error).about("--key \(keyPath)")
    }
  }

  private func warnIfExpired(_ release: Release, _ console: Console) throws {
    guard let expires = release.details.expires, expires <= (try Timestamp.current()) else {
      return
    }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .expired,
        "the release expired at \(expires): nobody installs it"
      )
    )
  }
}
