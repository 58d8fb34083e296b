import Foundation
import Signatures
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// What `key list` says of a folder.
@Suite(.temporaryFolder)
struct KeyListTests {
  private func run(_ name: String, _ arguments: String...) async throws {
    var tool = try #require(Tool.installed(name), "\(name) is not installed")
    tool.folder = TemporaryFolder.current
    let outcome = try await tool.run(arguments)
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
  }

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: TemporaryFolder.path(name)
    )
  }

  @Test func `each key is a line with the fingerprint that ssh-keygen prints`() async throws {
    try place(Array("correct horse".utf8), at: "passphrase")
    _ = try await publish("key", "new", "sealed", "--passphrase-file", "passphrase")
    try await makeKey("plain")
    try await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "word word", "-f", "keys/id")
    try place(Array("no key".utf8), at: "keys/README.md")
    let outcome = try await publish("key", "list")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    func fingerprint(_ name: String) throws -> String {
      try PublicKey(file: TemporaryFolder.path(name)).fingerprint.description
    }
    let (id, plain) = (try fingerprint("keys/id.pub"), try fingerprint("keys/plain.pub"))
    let sealed = try fingerprint("keys/sealed.pub")
    #expect(
      outcome.output == """
        \(id)  private, encrypted by OpenSSH  keys/id
        \(id)  public                         keys/id.pub
        \(plain)  private, not encrypted         keys/plain.key
        \(plain)  public                         keys/plain.pub
        \(sealed)  private, encrypted             keys/sealed.key
        \(sealed)  public                         keys/sealed.pub

        """
    )
    let json = try await publish("key", "list", "--json")
    let events = try json.events()
    #expect(
      events.dropLast().map { $0["encryption"] }
        == ["openssh", nil, "none", nil, "passphrase", nil]
    )
    #expect(try json.summary()["findings"] == 0)
  }

  @Test func `what is wrong is found, told apart, and ends with 10`() async throws {
    try await makeKey("a")
    try await makeKey("b")
    try await run(
      "openssl",
      "pkey",
      "-in",
      "keys/a.key",
      "-aes256",
      "-passout",
      "pass:x",
      "-out",
      "keys/weak.key"
    )
    try setMode(0o600, of: "keys/weak.key")
    try setMode(0o640, of: "keys/a.key")
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("keys/b.pub"))
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("keys/a.pub"),
      toPath: TemporaryFolder.path("keys/b.pub")
    )
    try await run(
      "openssl",
      "pkcs8",
      "-topk8",
      "-v2",
      "aes-256-cbc",
      "-in",
      "keys/b.key",
      "-outform",
      "der",
      "-passout",
      "pass:x",
      "-out",
      "keys/weak.der"
    )
    try setMode(0o600, of: "keys/weak.der")
    try place(Array("rubbish".utf8), at: "keys/c.pub")
    // Either half of a key may be written so.
    let point = SecretKey().publicKey
    for name in ["keys/d.pub", "keys/seed"] {
      try place(Array(point.bytes.map { String(format: "%02x", $0) }.joined().utf8), at: name)
    }
    let left = "keys/b.key.0123456789abcdef0123456789abcdef"
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("keys/b.key"),
      toPath: TemporaryFolder.path(left)
    )
    try setMode(0o777, of: "keys")
    let json = try await publish("key", "list", "--json")
    #expect(json.exitCode == 10)
    var found: [String: [String]] = [:]
    for event in try json.events() where event["event"] == "key" {
      guard case .string(let path)? = event["path"], case .array(let kinds)? = event["findings"]
      else { continue }
      found[path] = kinds.compactMap { if case .string(let kind) = $0 { kind } else { nil } }
    }
    #expect(
      found == [
        "keys/a.key": ["exposedKey"], "keys/a.pub": [], "keys/b.key": ["otherPublicKey"],
        "keys/b.pub": [], "keys/c.pub": ["badKey"], "keys/d.pub": ["badKey"], left: ["leftOver"],
        "keys/weak.der": ["weakEncryption"], "keys/weak.key": ["weakEncryption"],
      ]
    )
    #expect(try json.summary()["findings"] == 8)
    #expect(!json.output.contains(point.shortForm))
    let text = try await publish("key", "list")
    #expect(text.exitCode == 10)
    for line in [
      "warning: others can exchange the files in keys: mode 777\n  help: chmod go-w keys\n",
      "  help: chmod 600 keys/a.key, and make a new key if others may have read it\n",
      "warning: keys/b.pub is not the public half of keys/b.key\n",
      "warning: passphrases for keys/weak.key are tried fast: PBKDF2 with 2048 rounds\n"
        + "  help: sealift-publish key passphrase keys/weak.key encrypts it anew\n",
      "  help: sealift-publish key import keys/weak.der NAME encrypts a copy anew\n",
      "warning: \(left) is a copy that an interrupted run has left\n",
      "warning: keys/c.pub: the text is no key in a known form\n",
    ] {
      #expect(text.errors.contains(line), "\(text.errors)")
    }
    #expect(text.output.contains("-"), "the key whose fingerprint nobody knows")
  }

  @Test func `a folder that is not there ends with 3, an empty one with 0`() async throws {
    let absent = try await publish("key", "list")
    #expect(absent.exitCode == 3)
    try FileManager.default.createDirectory(
      atPath: TemporaryFolder.path("keys"),
      withIntermediateDirectories: false
    )
    let empty = try await publish("key", "list")
    #expect(empty.exitCode == 0)
    #expect(empty.output.isEmpty)
    #expect(empty.errors == "there is no key in keys\n")
  }
}
