import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON

struct KeyNewCommand: Command {
  static let name = ["key", "new"]
  static let summary = "makes a key that signs releases"
  static let help = CommandHelp(
    operands: [OperandHelp("NAME", "what the key is called, without an ending")],
    options: [
      OptionHelp("--dir", value: "DIR", "the folder of both files, keys unless given"),
      OptionHelp("--no-passphrase", "leaves the private key unencrypted"),
    ] + PassphraseSource.options,
    details: [
      "Writes NAME.key, the private key with mode 0600, and NAME.pub, the public key, and prints the fingerprint. "
        + "Neither file is ever overwritten. The private key is PKCS#8 PEM, encrypted with a passphrase that is asked "
        + "for twice on the terminal unless an option says where it is; openssl reads both files.",
      "Make a key for releases alone. Whoever has the private key and its passphrase can sign as you; "
        + "who loses it cannot sign any more, so keep a second copy in another place.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish key new release",
        "writes keys/release.key and keys/release.pub"
      ),
      ExampleHelp(
        "sealift-publish key new ci --dir /etc/sealift --passphrase-file /run/secrets/passphrase",
        "makes a key without asking"
      ),
    ]
  )

  private let files: KeyPairFiles
  private let isPlain: Bool
  private let source: PassphraseSource

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let folder = try arguments.option("--dir") { $0 } ?? "keys"
    isPlain = try arguments.flag("--no-passphrase")
    source = try PassphraseSource(&arguments)
    guard !isPlain || !source.isStated else {
      throw UsageError("--no-passphrase excludes the other passphrase options")
    }
    files = try arguments.operand("NAME") { try KeyPairFiles(name: $0, in: folder) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try files.requireAbsence()
    let passphrase: Passphrase? =
      isPlain ? nil : try await source.newPassphrase(for: files.privatePath, context)
    let key = SecretKey()
    try files.create(for: key, encryptedWith: passphrase)
    report(key.publicKey, context.console)
    return .done
  }

  private func report(_ key: PublicKey, _ console: Console) {
    console.print(key.fingerprint.description)
    console.summarize([
      "fingerprint": .string(key.fingerprint.description),
      "publicKey": .string(key.shortForm),
      "privatePath": .string(files.privatePath),
      "publicPath": .string(files.publicPath),
      "isEncrypted": .boolean(!isPlain),
    ])
    console.inform("wrote \(files.privatePath) (private, mode 0600) and \(files.publicPath)")
    console.inform("public key: \(key.shortForm)")
    console.inform(
      "keep a second copy of \(files.privatePath) where only you can reach it, such as an offline disk; "
        + "never put it under version control"
    )
    if isPlain {
      console.warn(.plainKey(files.privatePath))
    }
    console.inform(
      "next: sealift-publish build PATH --model MODEL --version VERSION, "
        + "then sealift-publish sign MANIFEST --key \(files.privatePath)"
    )
  }
}
