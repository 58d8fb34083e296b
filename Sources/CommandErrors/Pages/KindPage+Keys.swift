import CommandLineKit

extension KindPage {
  /// The pages of keys, key files and passphrases.
  static let keys =
    [
      KindPage(
        .badKey,
        .usage,
        means: "a file holds no key of the kind that is needed",
        causes: [
          "the private half was named where the public one is meant, or the other way round",
          "a key of another algorithm: only Ed25519 keys sign releases",
        ],
        helps: ["name the other half; public keys often end in .pub", "key show prints what it is"]
      ),
      KindPage(
        .exposedKey,
        .localFailure,
        means: "other users can read the private key",
        causes: ["the file was copied or unpacked with open permissions"],
        helps: [
          "chmod 600 the file",
          "make a new key and withdraw this one if others may have read it",
        ]
      ),
      KindPage(
        .foreignKey,
        .localFailure,
        means: "the private key belongs to another user, who can exchange it",
        causes: ["it was copied by root, or lies on a shared disk"],
        helps: ["own the file: chown, or make a copy with mode 600"]
      ),
      KindPage(
        .keyChanged,
        .busy,
        means: "another key has taken the place of the one that was read; nothing was written",
        causes: ["two people or jobs change the same file at once"],
        helps: ["run the command again"]
      ),
      KindPage(
        .unsupportedEncryption,
        .usage,
        means: "the key is encrypted in a way that is not read here",
        causes: ["it was written by another tool, with an old or rare cipher"],
        helps: [
          "openssl pkcs8 -topk8 -scrypt -in FILE converts a key",
          "ssh-keygen -p changes the encryption of an OpenSSH key",
        ]
      ),
      KindPage(
        .openSSHPassphrase,
        .usage,
        means: "the key has a passphrase of OpenSSH, which only OpenSSH can open",
        causes: ["it was made by ssh-keygen with a passphrase"],
        helps: [
          "sign with ssh-agent, which keeps the key where it is",
          "ssh-keygen -p -N '' -f COPY removes the passphrase of a copy; key import takes that over",
        ]
      ),
      KindPage(
        .costlyKey,
        .usage,
        means: "opening the key would cost far more time or memory than a passphrase needs",
        causes: ["a file that was made to stop whoever opens it, or damaged numbers in it"],
        helps: ["ask whoever made it; openssl pkcs8 -topk8 -scrypt encrypts with a fair cost"]
      ),
      KindPage(
        .badSignature,
        .notAccepted,
        means: "a signature that was made or brought does not verify, so nothing was written",
        causes: [
          "a public key beside a private key of another pair, or a faulty machine or signer",
          "a signature of another manifest, or by a key that was not named",
        ],
        helps: [
          "make sure that both halves of the key belong together, and sign again",
          "name the key of each signer, and bring signatures of this manifest, byte for byte",
        ]
      ),
    ] + passphrases

  private static let passphrases = [
    KindPage(
      .noPassphrase,
      .usage,
      means: "no passphrase was given",
      causes: ["the named variable is not set, or the prompt was ended without an answer"],
      helps: ["export the variable, or use --passphrase-file FILE"]
    ),
    KindPage(
      .passphraseNeeded,
      .usage,
      means: "the private key is encrypted, and its passphrase is needed",
      causes: ["a script runs without a terminal and states no passphrase"],
      helps: ["give it with --passphrase-file FILE or --passphrase-env VARIABLE"]
    ),
    KindPage(
      .emptyPassphrase,
      .usage,
      means: "the passphrase is empty",
      causes: ["a secret of a CI system that was not filled in, or an empty file"],
      helps: ["fill the file or variable; an unencrypted key must be asked for by name"]
    ),
    KindPage(
      .windowsLineEnd,
      .usage,
      means: "the passphrase has a carriage return at a line end, which nobody has typed",
      causes: ["the file or secret was written on Windows, with CR LF line ends"],
      helps: ["save it with plain line ends (LF), or without any"]
    ),
    KindPage(
      .wrongPassphrase,
      .usage,
      means: "the passphrase does not open the key",
      causes: ["the passphrase of another key, or a slip of the fingers"],
      helps: ["try again; a file of a passphrase may end with one line end, which does not count"]
    ),
    KindPage(
      .longPassphrase,
      .usage,
      means: "the passphrase is longer than any that is read",
      causes: ["a key or a whole file was given instead of a passphrase"],
      helps: ["give one line"]
    ),
    KindPage(
      .passphrasesDiffer,
      .usage,
      means: "the passphrase was typed in two different ways",
      causes: ["a slip of the fingers"],
      helps: ["run the command again"]
    ),
    KindPage(
      .noTerminal,
      .usage,
      means: "there is no terminal on which the passphrase could be asked for",
      causes: ["the command runs in CI, by a timer, or with its terminal closed"],
      helps: ["give it with --passphrase-file FILE or --passphrase-env VARIABLE"]
    ),
  ]
}
