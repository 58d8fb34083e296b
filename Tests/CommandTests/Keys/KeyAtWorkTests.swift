import Foundation
import Manifests
import Signatures
import TestSupport
import Testing

/// Keys that were made here sign in other programs, and the other way round, and each time the signature is the same.
@Suite(.temporaryFolder)
struct KeyAtWorkTests {
  private static let passphrase = "correct horse é"

  /// Makes `keys/ours.key`, which `option` encrypts or not, and what it signs as `expected.json`.
  private func prepare(_ option: String...) async throws {
    try place(Array(Self.passphrase.utf8), at: "passphrase")
    let made = try await publish(["key", "new", "ours"] + option)
    try #require(made.exitCode == 0, "\(made.errors)")
    try await buildManifest()
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("m.json"),
      toPath: TemporaryFolder.path("expected.json")
    )
    let signed = try await publish(
      ["sign", "expected.json", "--key", "keys/ours.key"]
        + option.filter { $0 != "--no-passphrase" }
    )
    try #require(signed.exitCode == 0, "\(signed.errors)")
  }

  @Test(.enabled(if: SSHAgent.isInstalled, "needs ssh-agent"))
  func `ssh-agent signs with a key that was made here`() async throws {
    try await prepare("--passphrase-file", "passphrase")
    let exported = try await publish(
      ["key", "export", "keys/ours.key", "--passphrase-file", "passphrase"]
        + ["--format", "openssh", "--output", "id_ours"]
    )
    #expect(exported.exitCode == 0, "\(exported.errors)")
    let agent = try await SSHAgent()
    try await run(environment: agent.environment, "ssh-add", ["-q", "id_ours"])
    let fingerprint = try PublicKey(file: TemporaryFolder.path("keys/ours.pub")).fingerprint
    let signed = try await publish(
      ["sign", "m.json", "--ssh-agent", fingerprint.description],
      environment: agent.environment
    )
    #expect(signed.exitCode == 0, "\(signed.errors)")
    #expect(try contents("m.json") == contents("expected.json"))
    withExtendedLifetime(agent) {}
  }

  @Test func `a token of PKCS 11 takes a key that was made here, encrypted, and signs`()
    async throws
  {
    try await prepare("--passphrase-file", "passphrase")
    let token = try await SoftToken()
    try await token.take("keys/ours.key", passphrase: Self.passphrase, id: "02")
    let signed = try await publish(
      ["sign", "m.json", "--signer", token.signer(id: "02"), "--pub", "keys/ours.pub"],
      environment: token.environment
    )
    #expect(signed.exitCode == 0, "\(signed.errors)")
    #expect(try contents("m.json") == contents("expected.json"))
  }

  @Test(
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice),
    arguments: [true, false]
  )
  func `securesystemslib signs with a key that was made here`(isEncrypted: Bool) async throws {
    if isEncrypted {
      try await prepare("--passphrase-file", "passphrase")
    } else {
      try await prepare("--no-passphrase")
    }
    let script = """
      import json, sys
      from cryptography.hazmat.primitives.serialization import load_pem_private_key
      from securesystemslib.dsse import Envelope
      from securesystemslib.signer import CryptoSigner
      passphrase = open("passphrase", "rb").read() if sys.argv[1] == "true" else None
      key = load_pem_private_key(open("keys/ours.key", "rb").read(), passphrase)
      envelope = Envelope.from_dict({**json.load(open("m.json")), "signatures": []})
      envelope.sign(CryptoSigner(key))
      json.dump(envelope.to_dict(), open("m.json", "w"))
      """
    let outcome = try await PythonEnvironment.run(script, "\(isEncrypted)")
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    let verified = try await publish("verify", "m.json", "--key", "keys/ours.pub")
    #expect(verified.exitCode == 0, "\(verified.errors)")
    let theirs = try manifest().signatures.map(\.bytes)
    try place(try contents("expected.json"), at: "m.json")
    #expect(try manifest().signatures.map(\.bytes) == theirs)
  }

  @Test(
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice),
    arguments: [true, false]
  )
  func `a key of pyca is taken over, and is known to securesystemslib by the same bytes`(
    isEncrypted: Bool
  ) async throws {
    let script = """
      import os, sys
      from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat)
      from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
      from securesystemslib.signer import CryptoSigner
      key = Ed25519PrivateKey.generate()
      encryption = BestAvailableEncryption(b"word") if sys.argv[1] == "true" else NoEncryption()
      os.umask(0o077)
      open("theirs", "wb").write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
      print(CryptoSigner(key).public_key.keyval["public"])
      """
    let made = try await PythonEnvironment.run(script, "\(isEncrypted)")
    try place(Array("word".utf8), at: "passphrase")
    let imported = try await publish(
      "key",
      "import",
      "theirs",
      "ours",
      "--passphrase-file",
      "passphrase"
    )
    #expect(imported.exitCode == 0, "\(made.errors)\(imported.errors)")
    let key = try PublicKey(file: TemporaryFolder.path("keys/ours.pub"))
    #expect(try PublicKey(text: made.output) == key)
  }
}
