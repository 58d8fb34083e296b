import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON

struct KeyImportCommand: Command {
  static let name = ["key", "import"]
  static let summary = "takes over a key that another program made"
  static let help = CommandHelp(
    operands: [
      OperandHelp("FILE", "the key, public or private"),
      OperandHelp("NAME", "what the key is called here, without an ending"),
    ],
    options: [
      OptionHelp("--dir", value: "DIR", "the folder of the new files, keys unless given"),
      OptionHelp(
        "--raw",
        "FILE is a private key without any form: 32 bytes, or 64 with the public key, also in hexadecimal or base64"
      ),
    ] + KeyCopyOptions.options(without: "leaves the new private key unencrypted"),
    details: [
      "Writes NAME.key and NAME.pub as key new does, or NAME.pub alone for a public key; FILE stays as it is. Private keys "
        + "are read as PKCS#8 in PEM or DER, plain or encrypted, and as OpenSSH keys that are not encrypted. Public keys are "
        + "read as PEM or DER, as ed25519:BASE64, or as a line of OpenSSH.",
      "An encrypted key keeps its passphrase unless an option gives a new one; for a plain key a passphrase is asked for "
        + "twice unless an option says where it is.",
      "A key that OpenSSH has encrypted is not opened here; the refusal says how ssh-keygen opens a copy.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish key import ~/.ssh/id_release release",
        "makes keys/release.key and keys/release.pub of an OpenSSH key"
      ),
      ExampleHelp(
        "sealift-publish key import key.pem ci --passphrase-file passphrase",
        "takes over a key of openssl with its passphrase"
      ),
    ]
  )

  private let path: String
  private let files: KeyPairFiles
  private let isRaw: Bool
  private let options: KeyCopyOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let folder = try arguments.option("--dir") { $0 } ?? "keys"
    isRaw = try arguments.flag("--raw")
    options = try KeyCopyOptions(&arguments)
    path = try arguments.operand("FILE") { $0 }
    files = try arguments.operand("NAME") { try KeyPairFiles(name: $0, in: folder) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    try files.requireAbsence()
    do {
      if isRaw {
        let key = try SecretKey(
          rawFile: path,
          allowingInsecurePermissions: options.allowsInsecurePermissions
        )
        try await write(key, openedWith: nil, context)
        return .done
      }
      guard try !PublicKey.isBareDigits(path) else {
        throw UsageError(
          "\(path) is 64 digits, which may be a private seed as well as a public key",
          helps: ["--raw takes it as a private key", "write ed25519:BASE64 for a public key"]
        )
      }
      if try KeyIdentity.isPrivate(path) {
        try await importPrivate(context)
      } else {
        let key = try PublicKey(statedFile: path)
        try files.createPublic(for: key)
        report(key, isEncrypted: nil, context.console)
      }
    } catch let error as KeyError {
      throw explained(error, context)
    }
    return .done
  }

  private func importPrivate(_ context: CommandContext) async throws {
    let file = try PrivateKeyFile(
      path: path,
      allowingInsecurePermissions: options.allowsInsecurePermissions
    )
    let passphrase: Passphrase? =
      file.isEncrypted ? try await options.source.passphrase(for: path, context) : nil
    let key = try file.open(with: passphrase)
    try await write(key, openedWith: passphrase, context)
  }

  private func write(
    _ key: borrowing SecretKey,
    openedWith old: consuming Passphrase?,
    _ context: CommandContext
  ) async throws {
    let wasEncrypted = old != nil
    let passphrase: Passphrase? = try await options.passphrase(
      for: files.privatePath,
      keeping: old,
      context
    )
    try files.create(for: key, encryptedWith: passphrase)
    report(key.publicKey, isEncrypted: passphrase != nil, context.console)
    if !wasEncrypted {
      context.console.inform(
        "\(path) is still there and not encrypted: remove it, and its copies, when the new file is safe"
      )
    }
  }

  /// `isEncrypted` is nil for a public key.
  private func report(_ key: PublicKey, isEncrypted: Bool?, _ console: Console) {
    console.print(key.fingerprint.description)
    var members: JSONObject = [
      "fingerprint": .string(key.fingerprint.description),
      "publicKey": .string(key.shortForm),
      "publicPath": .string(files.publicPath),
    ]
    members["privatePath"] = isEncrypted.map { _ in .string(files.privatePath) }
    members["isEncrypted"] = isEncrypted.map { .boolean($0) }
    console.summarize(members)
    let privatePart = isEncrypted.map { _ in "\(files.privatePath) (private, mode 0600) and " }
    console.inform("wrote \(privatePart ?? "")\(files.publicPath)")
    console.inform("public key: \(key.shortForm)")
    if isEncrypted == false { console.warn(.plainKey(files.privatePath)) }
  }

  /// Says which file the error is about, and how OpenSSH opens what only it can open.
  private func explained(_ error: KeyError, _ context: CommandContext) -> Diagnostic {
    guard error == .openSSHPassphrase else { return context.explain(error, at: path) }
    let copy = shellWord("\(path).plain")
    return Diagnostic(
      .usage,
      kind: .openSSHPassphrase,
      "\(path): \(error)",
      helps: [
        "(umask 077; cp \(shellWord(path)) \(copy)) && ssh-keygen -p -N '' -f \(copy)",
        "then import \(copy), and remove it",
        "or leave the key where it is, and sign with ssh-agent",
      ]
    )
  }
}
