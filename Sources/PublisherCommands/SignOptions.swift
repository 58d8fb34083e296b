import CommandErrors
import CommandLineKit
import Signatures

/// What `sign` is to do, read from its options.
struct SignOptions: Sendable {
  enum Task: Sendable {
    /// Signs, or only tries to.
    case sign(SignerSource, isCheck: Bool)
    /// Writes the bytes that are to be signed elsewhere, to a file or to standard output.
    case emit(output: String?)
    /// Takes the signature in a file, which was made elsewhere.
    case attach(String, KeyArgument)
  }

  static let help: [OptionHelp] =
    [
      OptionHelp("--key", value: "FILE", "signs with this private key"),
      OptionHelp(
        "--ssh-agent",
        value: "FINGERPRINT",
        "signs with this Ed25519 key of the ssh-agent at SSH_AUTH_SOCK"
      ),
      OptionHelp(
        "--signer",
        value: "COMMAND",
        "signs with a program, as for a token or a service; --pub names its key"
      ),
      OptionHelp(
        "--attach",
        value: "FILE",
        "takes a signature that was made elsewhere, by the key after --pub"
      ),
      OptionHelp("--emit-payload", "prints the bytes to be signed elsewhere, and signs nothing"),
      OptionHelp("--output", value: "FILE", "writes what --emit-payload prints to this file"),
      OptionHelp(
        "--pub",
        value: "PUB",
        occurrence: .repeatable,
        "the public key of the signer; of several, it must be one"
      ),
      OptionHelp("--check", "does all but write: the key, the clock and the manifest are fit"),
      OptionHelp(
        "--insecure-key-permissions",
        "takes a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options

  let task: Task
  let expectedKeys: [KeyArgument]

  /// Takes the options off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let keyPath = try arguments.option("--key") { $0 }
    let fingerprint = try arguments.option("--ssh-agent") { try readFingerprint($0) }
    let command = try arguments.option("--signer") { try SignerCommand($0) }
    let attached = try arguments.option("--attach") { $0 }
    let emits = try arguments.flag("--emit-payload")
    let output = try arguments.option("--output") { $0 }
    let isCheck = try arguments.flag("--check")
    let keys = try arguments.options("--pub") { KeyArgument($0, of: "--pub") }
    let allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    let passphrase = try PassphraseSource(&arguments)
    expectedKeys = keys
    var tasks: [Task] = []
    if let keyPath {
      let source = SignerSource.keyFile(
        keyPath,
        passphrase,
        allowsInsecurePermissions: allowsInsecurePermissions
      )
      tasks.append(.sign(source, isCheck: isCheck))
    }
    if let fingerprint { tasks.append(.sign(.agent(fingerprint), isCheck: isCheck)) }
    if let command {
      let key = try Self.onlyKey(of: "--signer", keys)
      tasks.append(.sign(.command(command, key), isCheck: isCheck))
    }
    if let attached { tasks.append(.attach(attached, try Self.onlyKey(of: "--attach", keys))) }
    if emits { tasks.append(.emit(output: output)) }
    task = try Self.onlyTask(tasks)
    try checkCombination(isCheck: isCheck, hasOutput: output != nil)
  }

  private static func onlyTask(_ tasks: [Task]) throws(UsageError) -> Task {
    let all = "--key, --ssh-agent, --signer, --attach, --emit-payload"
    guard let task = tasks.first else {
      throw UsageError("nobody is named to sign", helps: ["give one of \(all)"])
    }
    guard tasks.count == 1 else { throw UsageError("only one of \(all) can be given") }
    return task
  }

  private static func onlyKey(
    of option: String,
    _ keys: [KeyArgument]
  ) throws(UsageError) -> KeyArgument {
    guard let key = keys.first, keys.count == 1 else {
      throw UsageError("\(option) needs one --pub, the key with which the signature is verified")
    }
    return key
  }

  private func checkCombination(isCheck: Bool, hasOutput: Bool) throws(UsageError) {
    switch task {
    case .sign:
      guard !hasOutput else { throw UsageError("--output goes with --emit-payload only") }
    case .attach:
      guard !isCheck else { throw UsageError("--check and --attach exclude each other") }
      guard !hasOutput else { throw UsageError("--output goes with --emit-payload only") }
    case .emit:
      guard !isCheck else { throw UsageError("--check and --emit-payload exclude each other") }
      guard expectedKeys.isEmpty else {
        throw UsageError("--pub and --emit-payload exclude each other")
      }
    }
  }
}

private func readFingerprint(_ text: String) throws(UsageError) -> Fingerprint {
  guard let fingerprint = Fingerprint(text) else {
    throw UsageError(
      "\(quoted(text)) is no fingerprint",
      helps: ["SHA256: and 43 characters, as ssh-add -l and sealift-publish key show print it"]
    )
  }
  return fingerprint
}
