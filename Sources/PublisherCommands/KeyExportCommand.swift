import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON
import SystemFiles

struct KeyExportCommand: Command {
  static let name = ["key", "export"]
  static let summary = "writes a key as other programs read it"
  static let help = CommandHelp(
    operands: [OperandHelp("FILE", "the key, public or private")],
    options: [
      OptionHelp(
        "--format",
        value: "FORM",
        occurrence: .required,
        "pkcs8, openssh, spki, minisign or signify"
      ),
      OptionHelp(
        "--output",
        value: "FILE",
        "the file to write, which must not exist; a private key is written nowhere else"
      ),
      OptionHelp("--public", "writes the public half, where the form has both"),
    ] + KeyCopyOptions.options(without: "leaves a PKCS#8 key unencrypted"),
    details: [
      "spki, minisign and signify are forms of the public half, pkcs8 is one of the private half, and openssh is one of "
        + "whichever half FILE holds. The public half is printed unless --output names a file. A private key is written with "
        + "mode 0600 and is never printed.",
      "pkcs8 is encrypted with the passphrase that FILE has unless an option gives a new one. openssh is written without "
        + "encryption, since OpenSSH alone makes its own; ssh-keygen -p then sets a passphrase.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish key export keys/release.pub --format minisign --output minisign.pub",
        "writes the public key for minisign"
      ),
      ExampleHelp(
        "sealift-publish key export keys/release.key --format openssh --output id_release",
        "writes the private key for ssh-add"
      ),
    ]
  )

  private let path: String
  private let form: KeyForm
  private let output: String?
  private let wantsPublic: Bool
  private let options: KeyCopyOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    form = try arguments.requiredOption("--format") { try Self.form($0) }
    output = try arguments.option("--output") { $0 }
    wantsPublic = try arguments.flag("--public")
    options = try KeyCopyOptions(&arguments)
    guard form == .pkcs8 || !options.isStated else {
      throw UsageError(
        "only the form pkcs8 is encrypted, so only it takes these passphrase options"
      )
    }
    guard form != .pkcs8 || !wantsPublic else {
      throw UsageError("pkcs8 is a form of the private half; the public half has the form spki")
    }
    path = try arguments.operand("FILE") { $0 }
    try arguments.finish()
  }

  private static func form(_ text: String) throws(UsageError) -> KeyForm {
    guard let form = KeyForm(rawValue: text) else {
      throw UsageError(
        "\(quoted(text)) is no form of a key",
        helps: ["the forms are pkcs8, openssh, spki, minisign and signify"]
      )
    }
    return form
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    do {
      if let output, try Folder.kind(at: output) != nil { throw PublishingError.keyThere(output) }
      if try !isForPrivateHalf() {
        try await writePublic(context)
      } else if let output {
        try await writePrivate(to: output, context)
      } else {
        throw UsageError(
          "a private key is never printed",
          helps: ["name a file with --output FILE, or write the public half with --public"]
        )
      }
    } catch let error as KeyError {
      throw context.explain(error, at: path)
    }
    return .done
  }

  private func isForPrivateHalf() throws(KeyError) -> Bool {
    switch form {
    case .spki, .minisign, .signify: return false
    case .openSSH:
      if wantsPublic { return false }
      return try KeyIdentity.isPrivate(path)
    case .pkcs8:
      guard try KeyIdentity.isPrivate(path) else {
        throw KeyError.wrongKind(expected: "PRIVATE KEY", found: PublicKey.label)
      }
      return true
    }
  }

  private func writePublic(_ context: CommandContext) async throws {
    let identity = try await KeyIdentity(
      reading: path,
      allowingInsecurePermissions: options.allowsInsecurePermissions
    ) {
      try await options.source.passphrase(for: path, context)
    }
    let key = identity.publicKey
    let text = form.publicText(of: key, name: KeyWords.name(ofFile: path)) ?? ""
    if let output {
      let (folder, name) = splitPath(output)
      try Folder(path: folder).createWhole(name, with: Array(text.utf8).span, mode: 0o644)
      context.console.inform("wrote \(output), the public key \(key.fingerprint)")
    } else {
      context.console.printVerbatim(Array(text.utf8))
    }
    summarize(key, isEncrypted: nil, text: text, context.console)
  }

  private func writePrivate(to output: String, _ context: CommandContext) async throws {
    let file = try PrivateKeyFile(
      path: path,
      allowingInsecurePermissions: options.allowsInsecurePermissions
    )
    let old: Passphrase? =
      file.isEncrypted ? try await options.source.passphrase(for: path, context) : nil
    let key = try file.open(with: old)
    let isEncrypted: Bool
    if form == .openSSH {
      try PrivateKeyFile.createOpenSSH(at: output, for: key, comment: KeyWords.name(ofFile: path))
      isEncrypted = false
    } else {
      let passphrase: Passphrase? = try await options.passphrase(
        for: output,
        keeping: old,
        context
      )
      try PrivateKeyFile.create(at: output, for: key, encryptedWith: passphrase)
      isEncrypted = passphrase != nil
    }
    let fingerprint = key.publicKey.fingerprint
    context.console.inform("wrote \(output) (private, mode 0600), the key \(fingerprint)")
    summarize(key.publicKey, isEncrypted: isEncrypted, text: nil, context.console)
    if form == .openSSH {
      let help = "ssh-keygen -p -f \(shellWord(output)) sets a passphrase"
      context.console.warn(.plainKey(output, helps: [help]))
    } else if !isEncrypted {
      context.console.warn(.plainKey(output))
    }
  }

  /// `isEncrypted` is nil for the public half.
  private func summarize(
    _ key: PublicKey,
    isEncrypted: Bool?,
    text: String?,
    _ console: Console
  ) {
    var members: JSONObject = [
      "fingerprint": .string(key.fingerprint.description),
      "format": .string(form.rawValue),
      "isPrivate": .boolean(isEncrypted != nil),
    ]
    members["isEncrypted"] = isEncrypted.map { .boolean($0) }
    members["path"] = output.map { .string($0) }
    members["text"] = text.map { .string($0) }
    console.summarize(members)
  }
}
