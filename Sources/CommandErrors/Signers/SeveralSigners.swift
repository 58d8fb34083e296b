package import CommandLineKit
package import Signatures
import Trust

/// The options of a command that several keys may sign for at once.
package struct SeveralSigners: Sendable {
  package static let help: [OptionHelp] =
    [
      OptionHelp(
        "--key",
        value: "FILE",
        occurrence: .repeatable,
        "signs with this private key; several sign what each may"
      ),
      OptionHelp(
        "--ssh-agent",
        value: "FINGERPRINT",
        occurrence: .repeatable,
        "signs with this Ed25519 key of the ssh-agent at SSH_AUTH_SOCK"
      ),
      OptionHelp(
        "--signer",
        value: "COMMAND",
        "signs with a program, as for a token or a service; --pub names its key"
      ),
      OptionHelp("--pub", value: "PUB", "the public key of --signer"),
      OptionHelp(
        "--insecure-key-permissions",
        "takes a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options

  /// Those who sign, in the order of the options.
  package let sources: [SignerSource]

  /// Takes the options off `arguments`.
  package init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let paths = try arguments.options("--key") { $0 }
    let agents = try arguments.options("--ssh-agent") { text throws -> Fingerprint in
      guard let fingerprint = Fingerprint(text) else {
        throw UsageError(
          "\(quoted(text)) is no fingerprint",
          helps: ["SHA256: and 43 characters, as sealift-publish key show prints it"]
        )
      }
      return fingerprint
    }
    let command = try arguments.option("--signer") { try SignerCommand($0) }
    let key = try arguments.option("--pub") { KeyArgument($0, of: "--pub") }
    let allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    let passphrase = try PassphraseSource(&arguments)
    guard paths.count < 2 || !passphrase.isReadOnce else {
      throw UsageError(
        "one passphrase that is read once does not open several keys",
        helps: ["--passphrase-file opens all keys that have this passphrase"]
      )
    }
    var sources = paths.map { path in
      SignerSource.keyFile(
        KeyFilePlace(
          path: path,
          option: "--key",
          passphrase: passphrase,
          allowsInsecurePermissions: allowsInsecurePermissions
        )
      )
    }
    sources += agents.map(SignerSource.agent)
    switch (command, key) {
    case (let command?, let key?): sources.append(.command(command, key))
    case (nil, nil): break
    default: throw UsageError("--signer and --pub go together")
    }
    self.sources = sources
  }

  /// Opens the keys, and finds those of agents: what can fail before there is something to sign.
  package func makeReady(_ context: CommandContext) async throws -> [OpenSigner] {
    var signers: [OpenSigner] = []
    for source in sources {
      signers.append(OpenSigner(try await source.makeReady(expecting: [], context)))
    }
    return signers
  }
}

/// A signer that is ready, shared by all who hand it something to sign.
package final class OpenSigner {
  private let signer: ReadySigner

  init(_ signer: consuming ReadySigner) { self.signer = signer }

  package var publicKey: PublicKey { signer.publicKey }

  /// Signs `message`, and verifies the result.
  package func sign(_ message: [UInt8]) throws -> Signature {
    try signer.lend(to: BytesSigning(message: message))
  }
}

private struct BytesSigning: SignerUse {
  let message: [UInt8]

  func use(_ signer: borrowing some Signer & ~Copyable) throws -> Signature {
    try signer.verifiedSignature(of: message)
  }
}
