import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON

struct KeyPassphraseCommand: Command {
  static let name = ["key", "passphrase"]
  static let summary = "changes, sets or removes the passphrase of a private key"
  static let help = CommandHelp(
    operands: [OperandHelp("FILE", "the private key file, PKCS#8 PEM as key new writes it")],
    options: [
      OptionHelp("--remove", "leaves the key unencrypted"),
      OptionHelp(
        "--insecure-key-permissions",
        "takes a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options(.key) + PassphraseSource.options(.new),
    details: [
      "Opens the key with the passphrase that it has, asks twice for the new one unless an option says where it is, and "
        + "replaces the file at one instant: after a crash it is the old file or the new one. The new file has mode 0600. "
        + "Another key that has taken the place of the file meanwhile stays (7).",
      "Second copies keep the old passphrase, and so does whoever has read the old file.",
    ],
    examples: [
      ExampleHelp("sealift-publish key passphrase keys/release.key", "asks for both passphrases"),
      ExampleHelp(
        "sealift-publish key passphrase keys/ci.key --passphrase-file old --new-passphrase-file new",
        "changes it without asking"
      ),
    ],
    goingOn: "run the same command again; the key file is the old one or the new one"
  )

  private let path: String
  private let removes: Bool
  private let allowsInsecurePermissions: Bool
  private let source: PassphraseSource
  private let newSource: PassphraseSource

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    removes = try arguments.flag("--remove")
    allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    source = try PassphraseSource(&arguments)
    newSource = try PassphraseSource(&arguments, .new)
    try newSource.requireOther(than: source)
    guard !removes || !newSource.isStated else {
      throw UsageError("--remove excludes the options of a new passphrase")
    }
    path = try arguments.operand("FILE") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    do {
      let file = try PrivateKeyFile(
        path: path,
        allowingInsecurePermissions: allowsInsecurePermissions
      )
      try requirePEM(file)
      if !file.isEncrypted, source.isStated {
        throw UsageError(
          "\(path) is not encrypted, so it has no passphrase yet",
          helps: [
            "give the new one with --new-passphrase-file FILE or --new-passphrase-env VARIABLE"
          ]
        )
      }
      let key = try await open(file, context)
      if removes {
        try file.replace(at: path, for: key, encryptedWith: nil)
      } else {
        let passphrase: Passphrase? = try await newSource.newPassphrase(
          for: path,
          context,
          .new,
          without: "--remove"
        )
        try file.replace(at: path, for: key, encryptedWith: passphrase)
      }
      report(key.publicKey, wasEncrypted: file.isEncrypted, context.console)
    } catch let error as KeyError {
      throw context.explain(error, at: path)
    }
    return .done
  }

  /// Opens the key; its passphrase is wiped when this returns, before a new one is asked for.
  private func open(
    _ file: borrowing PrivateKeyFile,
    _ context: CommandContext
  ) async throws -> SecretKey {
    let passphrase: Passphrase? =
      file.isEncrypted ? try await source.passphrase(for: path, context) : nil
    return try file.open(with: passphrase)
  }

  private func requirePEM(_ file: borrowing PrivateKeyFile) throws {
    switch file.form {
    case .pkcs8PEM: return
    case .openSSH:
      throw Diagnostic(
        .usage,
        kind: .badKey,
        "\(path) is a key of OpenSSH, which keeps its own passphrase",
        helps: [
          "ssh-keygen -p -f \(shellWord(path)) changes it",
          "sealift-publish key import \(shellWord(path)) NAME makes a key of ours of it",
        ]
      )
    case .pkcs8DER:
      throw Diagnostic(
        .usage,
        kind: .badKey,
        "\(path) is DER, and is not rewritten",
        helps: ["sealift-publish key import \(shellWord(path)) NAME makes a PEM file of it"]
      )
    }
  }

  private func report(_ key: PublicKey, wasEncrypted: Bool, _ console: Console) {
    let fingerprint = key.fingerprint.description
    console.print(fingerprint)
    console.summarize([
      "path": .string(path),
      "fingerprint": .string(fingerprint),
      "wasEncrypted": .boolean(wasEncrypted),
      "isEncrypted": .boolean(!removes),
    ])
    console.inform(
      removes
        ? "\(path) has no passphrase any more" : "\(path) opens with the new passphrase only"
    )
    console.inform("second copies of it are as they were")
    if removes { console.warn(.plainKey(path)) }
  }
}
