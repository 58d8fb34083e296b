import Foundation
import Signatures
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// Keys go to openssl and OpenSSH and come back, with each way that a passphrase may take.
@Suite(.temporaryFolder, .timeLimit(.minutes(30)))
struct KeyInteroperabilityTests {
  private static let passphrase = "correct horse é"
  private static let other = "battery staple"

  @discardableResult
  private func run(_ name: String, _ arguments: String...) async throws -> ToolOutcome {
    var tool = try #require(Tool.installed(name), "\(name) is not installed")
    tool.folder = TemporaryFolder.current
    return try await tool.run(arguments)
  }

  private func given(
    _ way: PassphraseWay,
    _ questions: String...,
    text: String = passphrase,
    option: String = "--passphrase"
  ) -> GivenPassphrase {
    GivenPassphrase(text: text, way: way, option: option, questions: questions)
  }

  /// The key that openssl finds in a private key file.
  private func opensslKey(_ path: String, _ passphrase: String? = nil) async throws -> PublicKey {
    let outcome = try await run(
      "openssl",
      "pkey",
      "-in",
      path,
      "-pubout",
      "-passin",
      "pass:\(passphrase ?? "")"
    )
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    return try PublicKey(text: outcome.output)
  }

  private func publicKey(_ path: String) throws -> PublicKey {
    try PublicKey(file: TemporaryFolder.path(path))
  }

  // MARK: In

  /// How another program made the file `theirs`, and whether it wants a passphrase.
  static let foreign: [(command: String, isEncrypted: Bool)] = [
    ("pkey -in plain", false),
    ("pkcs8 -topk8 -nocrypt -in plain -outform der", false),
    ("pkey -in plain -aes256", true),
    ("pkcs8 -topk8 -in plain -scrypt", true),
    ("pkcs8 -topk8 -in plain -v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 600000", true),
    ("pkcs8 -topk8 -in plain -scrypt -outform der", true),
  ]

  /// Each form with a passphrase from a file, and one form with each other way.
  static let foreignByWay =
    foreign.map { ($0, PassphraseWay.file) }
    + PassphraseWay.allCases.filter { $0 != .file }.map { (foreign[3], $0) }

  @Test(arguments: foreignByWay)
  func `a key of openssl is taken over with its passphrase, and openssl opens ours`(
    form: (command: String, isEncrypted: Bool),
    way: PassphraseWay
  ) async throws {
    try await run("openssl", "genpkey", "-algorithm", "ed25519", "-out", "plain")
    var tool = try #require(Tool.installed("openssl"))
    tool.folder = TemporaryFolder.current
    let words = form.command.split(separator: " ").map(String.init) + ["-out", "theirs"]
    let made = try await tool.run(
      words + (form.isEncrypted ? ["-passout", "pass:\(Self.passphrase)"] : [])
    )
    try #require(made.exitCode == 0, "\(made.errors)")
    try setMode(0o600, of: "theirs")
    let question = "new passphrase for keys/ours.key: "
    let passphrase =
      form.isEncrypted
      ? given(way, "passphrase of theirs: ") : given(way, question, "the same again: ")
    let imported = try await runKeyTool(["key", "import", "theirs", "ours"], [passphrase])
    #expect(imported.exitCode == 0, "\(imported.errors)")
    let key = try await opensslKey("plain")
    #expect(imported.output == "\(key.fingerprint)\n")
    #expect(try publicKey("keys/ours.pub") == key)
    #expect(try await opensslKey("keys/ours.key", Self.passphrase) == key)
    #expect(try mode(of: "keys/ours.key") == 0o600)
    #expect(!imported.screen.contains(Self.passphrase))
  }

  @Test(arguments: PassphraseWay.allCases)
  func `a key of OpenSSH is taken over, and goes back`(way: PassphraseWay) async throws {
    try await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a@b", "-f", "id")
    let imported = try await runKeyTool(
      ["key", "import", "id", "ours"],
      [given(way, "new passphrase for keys/ours.key: ", "the same again: ")]
    )
    #expect(imported.exitCode == 0, "\(imported.errors)")
    #expect(imported.errors.contains("id is still there and not encrypted"))
    let key = try publicKey("id.pub")
    #expect(try publicKey("keys/ours.pub") == key)
    #expect(try await opensslKey("keys/ours.key", Self.passphrase) == key)
    let exported = try await runKeyTool(
      ["key", "export", "keys/ours.key", "--format", "openssh", "--output", "back"],
      [given(way, "passphrase of keys/ours.key: ")]
    )
    #expect(exported.exitCode == 0, "\(exported.errors)")
    #expect(exported.errors.contains("  help: ssh-keygen -p -f back sets a passphrase\n"))
    #expect(try mode(of: "back") == 0o600)
    #expect(try await run("ssh-keygen", "-y", "-f", "back").output == "\(key.openSSHLine) ours\n")
    #expect(try await run("ssh-keygen", "-p", "-N", "word word", "-f", "back").exitCode == 0)
    let listed = try await run("ssh-keygen", "-lf", "back").output
    #expect(listed.hasPrefix("256 \(key.fingerprint) "))
  }

  @Test func `a key that OpenSSH encrypted is refused with the command that helps, which helps`()
    async throws
  {
    try await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "word word", "-f", "my id")
    let refused = try await publish("key", "import", "my id", "ours")
    #expect(refused.exitCode == 2)
    #expect(
      refused.errors == """
        error: my id: the key is encrypted by OpenSSH, whose passphrases only OpenSSH opens
          help: (umask 077; cp 'my id' 'my id.plain') && ssh-keygen -p -N '' -f 'my id.plain'
          help: then import 'my id.plain', and remove it
          help: or leave the key where it is, and sign with ssh-agent

        """
    )
    #expect(!isThere("keys/ours.key"))
    let command = try #require(
      refused.errors.split(separator: "\n").first { $0.contains("umask") }?.dropFirst(8)
    )
    // As a person runs it, but with the old passphrase at hand.
    let helped = try await run("sh", "-c", "\(command) -P 'word word'")
    #expect(helped.exitCode == 0, "\(helped.errors)")
    let imported = try await publish("key", "import", "my id.plain", "ours", "--no-passphrase")
    #expect(imported.exitCode == 0, "\(imported.errors)")
    #expect(try publicKey("keys/ours.pub") == publicKey("my id.pub"))
  }

  @Test func `a public key is taken over in each form, and alone`() async throws {
    let key = SecretKey().publicKey
    let forms: [[UInt8]] = [
      Array(key.pem(name: "x").utf8), key.subjectPublicKeyInfo, Array(key.shortForm.utf8),
      Array("\(key.openSSHLine) me@here\n".utf8),
    ]
    for (number, form) in forms.enumerated() {
      try place(form, at: "theirs")
      let imported = try await publish("key", "import", "theirs", "k\(number)")
      #expect(imported.exitCode == 0, "\(imported.errors)")
      #expect(imported.output == "\(key.fingerprint)\n")
      #expect(try publicKey("keys/k\(number).pub") == key)
      #expect(!isThere("keys/k\(number).key"))
    }
  }

  @Test func `a raw seed is taken over only when it is called one`() async throws {
    let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    try place(Array(seed.utf8), at: "seed")
    try setMode(0o600, of: "seed")
    // These digits would be a public key, too.
    let point = SecretKey().publicKey
    let digits = point.bytes.map { String(format: "%02x", $0) }.joined()
    for (number, text) in [seed, digits, "# mine\n\n \(digits.uppercased())\r\n"].enumerated() {
      let name = "bare-\(number)"
      try place(Array(text.utf8), at: name)
      try setMode(0o600, of: name)
      let bare = try await publish("key", "import", name, "ours")
      #expect(bare.exitCode == 2)
      #expect(
        bare.errors.hasPrefix(
          """
          error: \(name) is 64 digits, which may be a private seed as well as a public key
            help: --raw takes it as a private key
            help: write ed25519:BASE64 for a public key

          """
        ),
        "\(bare.errors)"
      )
      #expect(!isThere("keys/ours.pub"))
      for words in [
        ["import", name, "ours", "--json"], ["show", name], ["show", name, "--json"],
        ["export", name, "--format", "spki"], ["export", name, "--format", "openssh", "--public"],
      ] {
        let refused = try await publish(["key"] + words)
        #expect(refused.exitCode == 2, "\(words)")
        for secret in [
          Base64.encode(point.bytes), point.openSSHLine, Base64.encode(point.subjectPublicKeyInfo),
        ] {
          #expect(!(refused.output + refused.errors).contains(secret), "\(words)")
        }
      }
    }
    let imported = try await publish("key", "import", "--raw", "seed", "ours", "--no-passphrase")
    #expect(imported.exitCode == 0, "\(imported.errors)")
    #expect(imported.output == "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8\n")
    let key = try await opensslKey("keys/ours.key")
    #expect(key.fingerprint.description + "\n" == imported.output)
    try setMode(0o644, of: "seed")
    let exposed = try await publish("key", "import", "--raw", "seed", "b", "--no-passphrase")
    #expect(exposed.exitCode == 8)
    #expect(!isThere("keys/b.key"))
  }

  // MARK: Out

  @Test(arguments: PassphraseWay.allCases)
  func `PKCS#8 goes out with the old passphrase, a new one, or none when asked`(
    way: PassphraseWay
  ) async throws {
    let made = try await runKeyTool(
      ["key", "new", "ours"],
      [given(way, "new passphrase for keys/ours.key: ", "the same again: ")]
    )
    #expect(made.exitCode == 0, "\(made.errors)")
    let key = try publicKey("keys/ours.pub")
    let export = ["key", "export", "keys/ours.key", "--format", "pkcs8", "--output"]
    let old = given(way, "passphrase of keys/ours.key: ")
    #expect(try await runKeyTool(export + ["same"], [old]).exitCode == 0)
    #expect(try await opensslKey("same", Self.passphrase) == key)
    let new = given(
      way == .terminal ? .file : way,
      text: Self.other,
      option: "--new-passphrase"
    )
    #expect(try await runKeyTool(export + ["new"], [old, new]).exitCode == 0)
    #expect(try await opensslKey("new", Self.other) == key)
    let plain = try await runKeyTool(export + ["plain", "--no-passphrase"], [old])
    #expect(plain.exitCode == 0)
    #expect(plain.errors.contains("warning: the private key is not encrypted"))
    #expect(try await opensslKey("plain") == key)
    for name in ["same", "new", "plain"] { #expect(try mode(of: name) == 0o600) }
    let again = try await runKeyTool(export + ["plain", "--no-passphrase"], [])
    #expect(again.exitCode == 2)
    #expect(again.errors.contains("error: plain exists, and keys are never overwritten\n"))
  }

  @Test func `public halves go out as each program reads them`() async throws {
    try await makeKey("ours")
    let key = try publicKey("keys/ours.pub")
    for file in ["keys/ours.key", "keys/ours.pub"] {
      func exported(_ form: String, _ options: String...) async throws -> String {
        let outcome = try await publish(
          ["key", "export", file, "--format", form] + options
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        if options.count < 3 { #expect(outcome.errors.isEmpty) }
        return outcome.output
      }
      #expect(try await exported("spki") == key.pem(name: "ours"))
      #expect(try await exported("minisign") == key.minisignFile)
      #expect(try await exported("signify") == key.signifyFile(name: "ours"))
      #expect(try await exported("openssh", "--public") == key.openSSHLine + "\n")
      let name = "out-\(file.suffix(3))"
      #expect(try await exported("openssh", "--public", "--output", name).isEmpty == true)
      #expect(try await run("ssh-keygen", "-lf", name).output.contains(key.fingerprint.description))
      #expect(try mode(of: name) == 0o644)
    }
    let json = try await publish(
      "key",
      "export",
      "keys/ours.pub",
      "--format",
      "spki",
      "--json"
    ).summary()
    #expect(json["text"] == .string(key.pem(name: "ours")))
    #expect(json["isPrivate"] == false)
  }

  @Test(arguments: [
    (["keys/ours.key", "--format", "openssh"], "a private key is never printed"),
    (["keys/ours.key", "--format", "pkcs8"], "a private key is never printed"),
    (
      ["keys/ours.pub", "--format", "pkcs8", "--output", "x"], "keys/ours.pub: expected a PEM block"
    ),
    (["keys/ours.key", "--format", "pem"], "--format: \"pem\" is no form of a key"),
    (["keys/ours.key", "--format", "spki", "--no-passphrase"], "only the form pkcs8 is encrypted"),
    (["keys/ours.key", "--format", "pkcs8", "--public"], "pkcs8 is a form of the private half"),
    (["keys/ours.key"], "--format is missing"),
  ])
  func `an export that makes no sense is refused, and prints nothing`(
    arguments: [String],
    message: String
  ) async throws {
    try await makeKey("ours")
    let outcome = try await publish(["key", "export"] + arguments)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("error: \(message)"), "\(outcome.errors)")
    #expect(!isThere("x"))
  }

  // MARK: Passphrases

  /// Each way for the old one, and each for the new one.
  static let changes =
    PassphraseWay.allCases.map { ($0, PassphraseWay.file) }
    + PassphraseWay.allCases.filter { $0 != .file }.map { (PassphraseWay.file, $0) }

  @Test(arguments: changes)
  func `a passphrase is changed, from wherever both come`(
    old: PassphraseWay,
    new: PassphraseWay
  ) async throws {
    let key = try await encryptedKey("ours")
    let before = try contents("keys/ours.key")
    let changed = try await runKeyTool(
      ["key", "passphrase", "keys/ours.key"],
      [
        given(old, "passphrase of keys/ours.key: "),
        given(
          new,
          "new passphrase for keys/ours.key: ",
          "the same again: ",
          text: Self.other,
          option: "--new-passphrase"
        ),
      ]
    )
    #expect(changed.exitCode == 0, "\(changed.errors)")
    #expect(changed.output == "\(key.fingerprint)\n")
    #expect(try contents("keys/ours.key") != before)
    #expect(try await opensslKey("keys/ours.key", Self.other) == key)
    #expect(try mode(of: "keys/ours.key") == 0o600)
    #expect(try entries("keys") == ["ours.key", "ours.pub"])
  }

  @Test func `a passphrase is removed when asked, and set again; comments stay`() async throws {
    let key = try await encryptedKey("ours")
    let text = String(decoding: try contents("keys/ours.key"), as: UTF8.self)
    try place(Array(("# in the safe, 2nd drawer\n" + text).utf8), at: "keys/ours.key")
    let file = given(.file)
    let removed = try await runKeyTool(["key", "passphrase", "keys/ours.key", "--remove"], [file])
    #expect(removed.exitCode == 0, "\(removed.errors)")
    #expect(removed.errors.contains("keys/ours.key has no passphrase any more\n"))
    #expect(removed.errors.contains("warning: the private key is not encrypted"))
    #expect(try await opensslKey("keys/ours.key") == key)
    let confused = try await runKeyTool(["key", "passphrase", "keys/ours.key"], [file])
    #expect(confused.exitCode == 2)
    #expect(confused.errors.contains("keys/ours.key is not encrypted, so it has no passphrase yet"))
    let new = given(.file, text: Self.other, option: "--new-passphrase")
    #expect(try await runKeyTool(["key", "passphrase", "keys/ours.key"], [new]).exitCode == 0)
    #expect(try await opensslKey("keys/ours.key", Self.other) == key)
    let comments = String(decoding: try contents("keys/ours.key"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("#") }
    #expect(comments == ["# in the safe, 2nd drawer", "# \(key.fingerprint)"])
  }

  @Test func `a wrong old passphrase, a link and other forms change nothing`() async throws {
    _ = try await encryptedKey("ours")
    try await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "id")
    try await run(
      "openssl",
      "genpkey",
      "-algorithm",
      "ed25519",
      "-outform",
      "der",
      "-out",
      "k.der"
    )
    try setMode(0o600, of: "k.der")
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("link.key"),
      withDestinationPath: "keys/ours.key"
    )
    let before = try contents("keys/ours.key")
    let new = given(.file, text: Self.other, option: "--new-passphrase")
    for (path, old, code, message) in [
      ("keys/ours.key", Self.other, 2, "keys/ours.key: the passphrase does not open the key"),
      ("link.key", Self.passphrase, 8, "link.key is a symbolic link"),
      ("id", nil, 2, "id is a key of OpenSSH"), ("k.der", nil, 2, "k.der is DER"),
    ] as [(String, String?, Int, String)] {
      let passphrases = (old.map { [given(.descriptor, text: $0)] } ?? []) + [new]
      let outcome = try await runKeyTool(["key", "passphrase", path], passphrases)
      #expect(outcome.exitCode == code, "\(path): \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(try contents("keys/ours.key") == before)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: TemporaryFolder.path("link.key"))
        == "keys/ours.key"
    )
  }

  @Test func `a key that takes the place of the file meanwhile stays, and ends with 7`()
    async throws
  {
    _ = try await encryptedKey("ours")
    _ = try await encryptedKey("other")
    let other = try contents("keys/other.key")
    let outcome = try await runKeyTool(
      ["key", "passphrase", "keys/ours.key"],
      [
        given(.file),
        given(
          .terminal,
          "new passphrase for keys/ours.key: ",
          "the same again: ",
          text: Self.other,
          option: "--new-passphrase"
        ),
      ],
      meanwhile: { _, _ in
        try FileManager.default.removeItem(atPath: TemporaryFolder.path("keys/ours.key"))
        try FileManager.default.moveItem(
          atPath: TemporaryFolder.path("keys/other.key"),
          toPath: TemporaryFolder.path("keys/ours.key")
        )
      }
    )
    #expect(outcome.exitCode == 7, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        """
        error: keys/ours.key was changed by somebody else meanwhile; nothing was written
          help: run the command again

        """
      ),
      "\(outcome.errors)"
    )
    #expect(try contents("keys/ours.key") == other)
    #expect(try entries("keys") == ["other.pub", "ours.key", "ours.pub"])
  }

  private func encryptedKey(_ name: String) async throws -> PublicKey {
    let made = try await runKeyTool(["key", "new", name], [given(.descriptor)])
    try #require(made.exitCode == 0, "\(made.errors)")
    return try publicKey("keys/\(name).pub")
  }

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: TemporaryFolder.path(name)
    )
  }

  private func mode(of name: String) throws -> UInt32 {
    try OpenFile(reading: TemporaryFolder.path(name)).status().mode
  }

  private func entries(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path(name)).sorted()
  }
}
