package import CommandLineKit
package import Signatures
import SystemFiles

extension Diagnostic {
  /// Why a key, a key file or a passphrase was refused.
  package init(_ error: KeyError) {
    let message = error.description
    switch error {
    case .unreadable(let error), .unwritable(let error): self.init(error)
    case .exposed(let path, _):
      self.init(
        .localFailure,
        kind: .exposedKey,
        message,
        helps: [
          "chmod 600 \(path), and make a new key if others may have read it",
          "--insecure-key-permissions takes the file as it is",
        ]
      )
    case .foreign:
      self.init(
        .localFailure,
        kind: .foreignKey,
        message,
        helps: ["--insecure-key-permissions takes the file as it is"]
      )
    case .changed:
      self.init(.busy, kind: .keyChanged, message, helps: ["run the command again"])
    case .wrongKind(let expected, _):
      let half =
        expected == PublicKey.label
        ? "the public half, a file that often ends in .pub" : "the private half"
      self.init(.usage, kind: .badKey, message, helps: ["name \(half)"])
    case .passphraseNeeded:
      self.init(
        .usage,
        kind: .passphraseNeeded,
        message,
        helps: ["give it with --passphrase-file FILE or --passphrase-env VARIABLE"]
      )
    case .wrongPassphrase: self.init(.usage, kind: .wrongPassphrase, message)
    case .emptyPassphrase:
      self.init(
        .usage,
        kind: .emptyPassphrase,
        message,
        helps: ["check that the file or variable was filled in"]
      )
    case .unsupportedEncryption:
      self.init(
        .usage,
        kind: .unsupportedEncryption,
        message,
        helps: [
          "openssl pkcs8 -topk8 -scrypt -in FILE converts a key, ssh-keygen -p -N '' opens one"
        ]
      )
    case .openSSHPassphrase:
      self.init(
        .usage,
        kind: .openSSHPassphrase,
        message,
        helps: [
          "ssh-keygen -p -N '' -f COPY removes the passphrase of a copy, which key import takes over",
          "or leave the key where it is, and sign with ssh-agent",
        ]
      )
    case .costlyDerivation:
      self.init(
        .usage,
        kind: .costlyKey,
        message,
        notes: ["allowed: 32 MiB, and some seconds"],
        helps: ["have whoever made the file encrypt it with less: openssl pkcs8 -topk8 -scrypt"]
      )
    case .carriageReturn:
      self.init(
        .usage,
        kind: .windowsLineEnd,
        message,
        helps: ["printf %s PASSPHRASE, or an editor with Unix line ends, writes it without"]
      )
    case .signatureDoesNotVerify: self.init(.notAccepted, kind: .badSignature, message)
    default: self.init(.usage, kind: .badKey, message)
    }
  }
}
