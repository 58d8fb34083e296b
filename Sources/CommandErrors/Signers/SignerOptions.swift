package import CommandLineKit
package import Signatures
import Trust

/// The options that say who makes a signature, in every command that makes one.
package struct SignerOptions: Sendable {
  package static let help = help(key: "--key")

  /// The options where `option` names the private key.
  package static func help(key option: String) -> [OptionHelp] {
    [
      OptionHelp(option, value: "FILE", "signs with this private key"),
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
        "--pub",
        value: "PUB",
        occurrence: .repeatable,
        "the public key of the signer; of several, it must be one"
      ),
      OptionHelp(
        "--insecure-key-permissions",
        "takes a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options
  }

  /// The signers that were named, in the order of the options; whether there may be several is for the command to say.
  package let sources: [SignerSource]
  /// The public keys that were given.
  package let publicKeys: [KeyArgument]

  /// Takes the options off `arguments`; `option` names the private key.
  package init(
    _ arguments: inout ArgumentReader,
    key option: String = "--key"
  ) throws(UsageError) {
    let keyPath = try arguments.option(option) { $0 }
    let fingerprint = try arguments.option("--ssh-agent") { try readFingerprint($0) }
    let command = try arguments.option("--signer") { try SignerCommand($0) }
    let keys = try arguments.options("--pub") { KeyArgument($0, of: "--pub") }
    let allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    let passphrase = try PassphraseSource(&arguments)
    publicKeys = keys
    var sources: [SignerSource] = []
    if let keyPath {
      sources.append(
        .keyFile(
          KeyFilePlace(
            path: keyPath,
            option: option,
            passphrase: passphrase,
            allowsInsecurePermissions: allowsInsecurePermissions
          )
        )
      )
    }
    if let fingerprint { sources.append(.agent(fingerprint)) }
    if let command { sources.append(.command(command, try Self.onlyKey(of: "--signer", keys))) }
    self.sources = sources
  }

  /// The one key that was given for `option`, which needs it.
  package static func onlyKey(
    of option: String,
    _ keys: [KeyArgument]
  ) throws(UsageError) -> KeyArgument {
    guard let key = keys.first, keys.count == 1 else {
      throw UsageError("\(option) needs one --pub, the key with which the signature is verified")
    }
    return key
  }

  /// The keys of which the signer's must be one; none where any is right.
  package func expectedKeys(_ context: CommandContext) throws -> [PublicKey] {
    try publicKeys.map { try $0.key(context).publicKey }
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
