import CommandErrors
import CommandLineKit
import Publishing
import Signatures

/// What key files are called in output.
enum KeyWords {
  /// What a person is told of a file; nil stands for a public key.
  static func state(_ protection: PrivateKeyFile.Protection?) -> String {
    switch protection {
    case nil: "public"
    case PrivateKeyFile.Protection.none?: "private, not encrypted"
    case .passphrase?: "private, encrypted"
    case .openSSHPassphrase?: "private, encrypted by OpenSSH"
    }
  }

  /// The word of JSON output.
  static func encryption(_ protection: PrivateKeyFile.Protection) -> String {
    switch protection {
    case .none: "none"
    case .passphrase: "passphrase"
    case .openSSHPassphrase: "openssh"
    }
  }

  /// What the key in a file is called: the name of the file without folder and ending.
  static func name(ofFile path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".key", ".pub", ".pem", ".der"]
    where file.utf8.count > ending.utf8.count && file.hasSuffix(ending) {
      return String(file.dropLast(ending.count))
    }
    return file
  }
}

/// Puts a word between quotes for a POSIX shell unless it needs none, for commands that a person copies.
func shellWord(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+=:,@%".utf8.contains(byte)
    }
  }
  if plain, !word.isEmpty, word.utf8.first != UInt8(ascii: "-") { return word }
  let start = word.utf8.first == UInt8(ascii: "-") ? "./" : ""
  return "\(start)'"
    + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

extension Diagnostic {
  /// The warning that a private key lies open.
  static func plainKey(_ path: String, helps: [String]? = nil) -> Diagnostic {
    let ours = "sealift-publish key passphrase \(shellWord(path)) sets a passphrase"
    return Diagnostic(
      .done,
      kind: .plainKey,
      "the private key is not encrypted: whoever reads the file can sign",
      helps: helps ?? [ours]
    )
  }

  /// A finding of `key list`.
  init(_ finding: KeyFinding, at path: String) {
    let word = shellWord(path)
    switch finding {
    case .exposed(let mode): self.init(KeyError.exposed(path: path, mode: mode), atFinding: path)
    case .foreign(let owner):
      self.init(
        .localFailure,
        kind: .foreignKey,
        "\(path) belongs to user \(owner), who can exchange it",
        helps: ["make a copy of your own with mode 600"]
      )
    case .openFolder(let mode):
      self.init(
        .localFailure,
        kind: .openFolder,
        "others can exchange the files in \(path): mode \(String(mode, radix: 8))",
        helps: ["chmod go-w \(word)"]
      )
    case .weak(let derivation, let form):
      self.init(
        .localFailure,
        kind: .weakEncryption,
        "passphrases for \(path) are tried fast: \(derivation)",
        helps: [
          form == .pkcs8DER
            ? "sealift-publish key import \(word) NAME encrypts a copy anew"
            : "sealift-publish key passphrase \(word) encrypts it anew"
        ]
      )
    case .otherPublicKey(let publicPath, let expected, let found):
      self.init(
        .usage,
        kind: .otherPublicKey,
        "\(publicPath) is not the public half of \(path)",
        notes: ["expected \(expected)", "found \(found)"]
      )
    case .leftOver:
      self.init(
        .localFailure,
        kind: .leftOver,
        "\(path) is a copy that an interrupted run has left",
        helps: ["see that the key itself opens, then remove the copy: rm \(word)"]
      )
    case .unreadable(let error): self = Diagnostic(error).about(path)
    }
  }

  private init(_ error: KeyError, atFinding path: String) {
    self.init(
      .localFailure,
      kind: .exposedKey,
      error.description,
      helps: [
        "chmod 600 \(shellWord(path)), and make a new key if others may have read it"
      ]
    )
  }
}
