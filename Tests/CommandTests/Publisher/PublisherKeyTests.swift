import Foundation
import Manifests
import Signatures
import StrictJSON
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct PublisherKeyTests {
  @Test func `key new writes a pair and says what to do next`() async throws {
    let outcome = try await publish(
      "key",
      "new",
      "release",
      "--passphrase-file",
      "-",
      environment: [:]
    )
    #expect(outcome.exitCode == 3)
    try place(Array("correct horse\n".utf8), at: "passphrase")
    let made = try await publish("key", "new", "release", "--passphrase-file", "passphrase")
    #expect(made.exitCode == 0)
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    #expect(made.output == "\(key.fingerprint)\n")
    #expect(
      made.errors == """
        wrote keys/release.key (private, mode 0600) and keys/release.pub
        public key: \(key.shortForm)
        keep a second copy of keys/release.key where only you can reach it, such as an offline disk; \
        never put it under version control
        next: sealift-publish build PATH --model MODEL --version VERSION, then sealift-publish sign \
        MANIFEST --key keys/release.key

        """
    )
    let folder = try Folder(path: TemporaryFolder.path("keys"))
    #expect(try folder.status(of: "release.key")?.mode == 0o600)
    let file = try PrivateKeyFile(path: TemporaryFolder.path("keys/release.key"))
    var bytes = Array("correct horse".utf8)
    let opened = try file.open(with: try Passphrase(wiping: &bytes)).publicKey
    #expect(opened == key)
  }

  @Test func `key new never overwrites`() async throws {
    try await makeKey()
    let before = try contents("keys/release.key")
    let again = try await publish("key", "new", "release", "--no-passphrase")
    #expect(again.exitCode == 2)
    #expect(again.output.isEmpty)
    #expect(
      again.errors == """
        error: keys/release.key exists, and keys are never overwritten
          help: choose another name or folder, or move the old files away
          help: if the public half is missing, sealift-publish key export FILE --format spki writes it

        """
    )
    #expect(try contents("keys/release.key") == before)
  }

  @Test func `without a terminal key new says how to give the passphrase`() async throws {
    let outcome = try await publish("key", "new", "release")
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.errors == """
        error: there is no terminal to ask for the passphrase
          help: give it with --passphrase-file FILE or --passphrase-env VARIABLE
          help: or leave the key unencrypted with --no-passphrase

        """
    )
    #expect(!isThere("keys"))
  }

  @Test(arguments: [
    ([], "--passphrase-file secret: the passphrase is empty"),
    (Array("\n".utf8), "--passphrase-file secret: the passphrase is empty"),
    (
      Array("secret\r\n".utf8),
      "--passphrase-file secret: the passphrase has a carriage return at a line end (CR LF); save it with plain line "
        + "ends (LF) or none"
    ),
    (
      Array("\u{feff}secret".utf8),
      "--passphrase-file secret: the text begins with a byte order mark (BOM); save it without one"
    ),
  ])
  func `a passphrase that was spoiled is refused, exactly`(
    bytes: [UInt8],
    message: String
  ) async throws {
    try place(bytes, at: "secret")
    let outcome = try await publish("key", "new", "release", "--passphrase-file", "secret")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.split(separator: "\n").first.map(String.init) == "error: \(message)")
    #expect(!isThere("keys/release.key"))
  }

  @Test func `CVE-2023-46115: no variable is a passphrase unless somebody names it`() async throws {
    try place(Array("correct horse".utf8), at: "passphrase")
    _ = try await publish("key", "new", "release", "--passphrase-file", "passphrase")
    try await buildManifest()
    let names = ["PASSPHRASE", "KEY_PASSPHRASE", "PRIVATE_KEY_PASSPHRASE", "PASSPHRASE_FILE"]
    let variables = names.flatMap { [$0, "SEALIFT_\($0)", "SEALIFT_PUBLISH_\($0)"] }
    let signed = try await publish(
      ["sign", "m.json", "--key", "keys/release.key"],
      environment: Dictionary(uniqueKeysWithValues: variables.map { ($0, "correct horse") })
    )
    #expect(signed.exitCode == 2)
    #expect(signed.errors.contains("error: there is no terminal to ask for the passphrase\n"))
    #expect(try manifest().signatures.isEmpty)
  }

  @Test func `a passphrase comes from a variable that the user names`() async throws {
    let environment = ["RELEASE_PASSPHRASE": "correct horse"]
    let made = try await publish(
      "key",
      "new",
      "release",
      "--passphrase-env",
      "RELEASE_PASSPHRASE",
      environment: environment
    )
    #expect(made.exitCode == 0)
    try await buildManifest()
    let unset = try await publish(
      "sign",
      "m.json",
      "--key",
      "keys/release.key",
      "--passphrase-env",
      "OTHER"
    )
    #expect(unset.exitCode == 2)
    #expect(unset.errors.contains("error: the variable OTHER of --passphrase-env is not set\n"))
    let signed = try await publish(
      "sign",
      "m.json",
      "--key",
      "keys/release.key",
      "--passphrase-env",
      "RELEASE_PASSPHRASE",
      environment: environment
    )
    #expect(signed.exitCode == 0)
  }

  @Test(arguments: [
    ["key", "new"], ["key", "new", "a/b"], ["key", "new", "a", "--no-passphrase", "--force"],
    ["key", "new", "a", "--no-passphrase", "--passphrase-env", "X"],
    ["key", "new", "a", "--passphrase-file", "f", "--passphrase-env", "X"],
    ["key", "new", "a", "--passphrase-file", "f", "--passphrase-fd", "3"],
    ["key", "new", "a", "--passphrase-fd", "3", "--passphrase-env", "X"],
    ["key", "new", "a", "--passphrase-fd", "2"], ["key", "new", "a", "--passphrase-fd", "-1"],
    ["key", "new", "a", "--passphrase-fd", "x"], ["key", "new", "a", "--passphrase-fd", "77"],
    ["key", "passphrase", "a.key", "--passphrase-fd", "3", "--new-passphrase-fd", "3"],
    ["key", "passphrase", "a.key", "--remove", "--new-passphrase-fd", "3"],
    ["key", "import", "a", "b", "--no-passphrase", "--new-passphrase-env", "X"],
    ["key", "new", "a", "b", "--no-passphrase"], ["key", "show"], ["key"],
  ])
  func `a command line that makes no sense is refused`(arguments: [String]) async throws {
    let outcome = try await publish(arguments)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(!isThere("keys"))
  }

  @Test func `key show knows public and private files in every form`() async throws {
    let fingerprint = try await makeKey()
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    try place(Array(key.openSSHLine.utf8), at: "ssh.pub")
    try place(Array(key.shortForm.utf8), at: "short.pub")
    let names = ["keys/release.key", "keys/release.pub", "ssh.pub", "short.pub"]
    let outcome = try await publish(["key", "show"] + names)
    #expect(outcome.exitCode == 0)
    let width = names.map(\.utf8.count).max() ?? 0
    #expect(width > 0)
    #expect(
      outcome.output == names.map { "\(fingerprint)  \(key.shortForm)  \($0)\n" }.joined()
    )
    let json = try await publish(["key", "show", "--json"] + names)
    let events = try json.events()
    #expect(
      events.map { $0["fingerprint"] }.dropLast() == names.map { _ in .string(fingerprint) }[...]
    )
    #expect(events.first?["isPrivate"] == true)
    #expect(events.first?["openSSH"] == .string(key.openSSHLine))
  }

  @Test func `no output ever shows a secret`() async throws {
    try place(Array("correct horse".utf8), at: "passphrase")
    let made = try await publish("key", "new", "release", "--passphrase-file", "passphrase")
    let shown = try await publish("key", "show", "keys/release.key", "--verbose")
    let secrets = try contents("keys/release.key").split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("-") }
    for outcome in [made, shown] {
      for text in [outcome.output, outcome.errors] {
        #expect(!text.contains("correct horse"))
        for secret in secrets { #expect(!text.contains(secret)) }
      }
    }
    #expect(shown.errors.contains("its public key is that of keys/release.pub"))
  }

  @Test(arguments: [0o640, 0o604, 0o666])
  func `a private key that others can read is refused`(mode: Int) async throws {
    try await makeKey()
    try await buildManifest()
    let before = try contents("m.json")
    let path = TemporaryFolder.path("keys/release.key")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let arguments = ["sign", "m.json", "--key", "keys/release.key"]
    let refused = try await publish(arguments)
    #expect(refused.exitCode == 8)
    #expect(refused.errors.contains("mode \(String(mode, radix: 8)), expected 600\n"))
    #expect(refused.errors.contains("  help: chmod 600 keys/release.key"))
    #expect(try contents("m.json") == before)
    let forced = try await publish(arguments + ["--insecure-key-permissions"])
    #expect(forced.exitCode == 0)
  }

  @Test(arguments: [
    ("absent.key", nil, 3, "there is no absent.key"),
    ("bad.key", "no key at all", 2, "the text is no key in a known form"),
    (
      "bad.key", "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n", 2,
      "the key is damaged"
    ),
    (
      "bad.key", "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n", 2,
      "expected a PEM block PRIVATE KEY, found PUBLIC KEY"
    ),
  ])
  func `what is no private key is refused before anything is signed`(
    name: String,
    text: String?,
    code: Int,
    message: String
  ) async throws {
    try await buildManifest()
    if let text {
      try place(Array(text.utf8), at: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: TemporaryFolder.path(name)
      )
    }
    let outcome = try await publish("sign", "m.json", "--key", name)
    #expect(outcome.exitCode == code)
    // What is missing is named by the message itself.
    let place = text == nil ? "--key" : "--key \(name)"
    #expect(outcome.errors.contains("error: \(place): \(message)"), "\(outcome.errors)")
  }

  @Test func `a wrong passphrase is refused`() async throws {
    try place(Array("correct horse".utf8), at: "right")
    try place(Array("correct zebra".utf8), at: "wrong")
    _ = try await publish("key", "new", "release", "--passphrase-file", "right")
    try await buildManifest()
    let outcome = try await publish(
      "sign",
      "m.json",
      "--key",
      "keys/release.key",
      "--passphrase-file",
      "wrong"
    )
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.errors.contains(
        "error: --key keys/release.key: the passphrase does not open the key\n"
      )
    )
    #expect(try manifest().signatures.isEmpty)
  }
}
