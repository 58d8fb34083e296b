import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON

struct KeyShowCommand: Command {
  static let name = ["key", "show"]
  static let summary = "prints the fingerprints of key files"
  static let help = CommandHelp(
    operands: [OperandHelp("FILE", arity: .atLeastOne, "a public or a private key file")],
    options: [
      OptionHelp(
        "--insecure-key-permissions",
        "reads a private key file that other users can read, too"
      )
    ] + PassphraseSource.options,
    details: [
      "Prints a line for each file: the fingerprint, the public key in one word, and the file. "
        + "Public keys are read as PEM, as ed25519:BASE64, or as a line of OpenSSH.",
      "Nothing secret is printed. An encrypted private key is opened only if there is no public key file beside it.",
    ],
    examples: [
      ExampleHelp("sealift-publish key show keys/release.pub", "prints SHA256:... ed25519:... FILE")
    ]
  )

  private let paths: [String]
  private let source: PassphraseSource
  private let allowsInsecurePermissions: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    source = try PassphraseSource(&arguments)
    paths = try arguments.operands("FILE", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    var table = TextTable(columns: [.left, .left, .left])
    for path in paths {
      let key = try await identity(path, context)
      let fingerprint = key.publicKey.fingerprint.description
      table.append([fingerprint, key.publicKey.shortForm, path])
      var members: JSONObject = [
        "path": .string(path),
        "fingerprint": .string(fingerprint),
        "publicKey": .string(key.publicKey.shortForm),
        "openSSH": .string(key.publicKey.openSSHLine),
        "isPrivate": .boolean(key.isPrivate),
      ]
      members["publicPath"] = key.companion.map { .string($0) }
      context.console.event("key", members)
      if let companion = key.companion {
        context.console.detail("\(path) is encrypted; its public key is that of \(companion)")
      }
    }
    context.console.print(table)
    return .done
  }

  private func identity(_ path: String, _ context: CommandContext) async throws -> KeyIdentity {
    do {
      return try await KeyIdentity(
        reading: path,
        allowingInsecurePermissions: allowsInsecurePermissions
      ) {
        try await source.passphrase(for: path, context)
      }
    } catch {
      throw context.explain(error).about(path)
    }
  }
}
