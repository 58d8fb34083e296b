import Digests
import Foundation
import Manifests
import Publishing
import Signatures
import StrictJSON
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct PublisherVerifyTests {
  @Test func `verify says who signed, and that the files are the right ones`() async throws {
    try await buildSignedManifest()
    try place(SampleModel.gguf(), at: "files/model.gguf")
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    let outcome = try await publish(
      "verify",
      "m.json",
      "--key",
      "keys/release.pub",
      "--files",
      "files"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output == """
        signed by \(key.fingerprint)  keys/release.pub
        accepted acme/tiny 1.0.0: 1 of 1 key signed, 1 needed
        files holds 1 file as in the manifest, and nothing else

        """
    )
  }

  @Test func `a key may be given in every form`() async throws {
    try await buildSignedManifest()
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    let hex = key.bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    for form in [key.shortForm, key.openSSHLine, hex] {
      let outcome = try await publish("verify", "m.json", "--key", form)
      #expect(outcome.exitCode == 0, "\(form): \(outcome.errors)")
    }
  }

  @Test func `a threshold counts keys`() async throws {
    let first = try await makeKey("a")
    let second = try await makeKey("b")
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--key", "keys/a.key")
    let keys = ["--key", "keys/a.pub", "--key", "keys/b.pub"]
    let few = try await publish(["verify", "m.json", "--threshold", "2"] + keys)
    #expect(few.exitCode == 6)
    #expect(
      few.errors == """
        error: 1 of 2 keys signed this manifest, 2 needed
          note: signed by \(first)
          note: not signed by \(second)
          help: sealift-publish sign MANIFEST --key FILE adds a signature

        """
    )
    #expect(try await publish(["verify", "m.json"] + keys).exitCode == 0)
    _ = try await publish("sign", "m.json", "--key", "keys/b.key")
    let both = try await publish(["verify", "m.json", "--threshold", "2"] + keys)
    #expect(both.exitCode == 0)
    #expect(both.output.contains("accepted acme/tiny 1.0.0: 2 of 2 keys signed, 2 needed\n"))
    let bare = try await publish(
      "verify",
      "m.json",
      "--threshold",
      "2",
      "--key",
      "keys/a.pub",
      "keys/b.pub"
    )
    #expect(bare.exitCode == 0)
  }

  @Test func `one key under two names is refused, whatever the threshold`() async throws {
    try await buildSignedManifest()
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    let outcome = try await publish(
      "verify",
      "m.json",
      "--threshold",
      "2",
      "--key",
      "keys/release.pub",
      "--key",
      key.shortForm
    )
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("\(key.fingerprint) is given twice"))
  }

  @Test func `a signer that is not trusted is named`() async throws {
    try await buildSignedManifest()
    let signer = try PublicKey(file: TemporaryFolder.path("keys/release.pub")).fingerprint
    try await makeKey("other")
    let outcome = try await publish("verify", "m.json", "--key", "keys/other.pub")
    #expect(outcome.exitCode == 6)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("error: no trusted key has signed the manifest\n"))
    #expect(outcome.errors.contains("  note: it names these signers: \(signer)\n"))
  }

  @Test func `an unsigned manifest is not accepted`() async throws {
    try await makeKey()
    try await buildManifest()
    let outcome = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.contains("  note: it has no signature\n"))
  }

  @Test func `an expired manifest is not accepted`() async throws {
    try await buildSignedManifest("--expires", "2026-01-01T00:00:00Z")
    let outcome = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.contains("error: the manifest expired at 2026-01-01T00:00:00Z\n"))
  }

  @Test func `what was signed and is no manifest ends with 9`() async throws {
    try await makeKey()
    let path = TemporaryFolder.path("keys/release.key")
    let key = try PrivateKeyFile(path: path).open(with: nil)
    let envelope = Envelope(payload: Array(#"{"_type":"something else"}"#.utf8))
    let signed = try envelope.adding(key.sign(envelope.signedBytes), by: key.publicKey)
    try place(signed.encode(), at: "m.json")
    let outcome = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(outcome.exitCode == 9)
  }

  @Test func `each file that differs has its line`() async throws {
    try await makeKey()
    for name in ["a.gguf", "b.gguf", "c.gguf"] {
      try place(SampleModel.gguf(), at: "release/\(name)")
    }
    _ = try await publish(
      "build",
      "release",
      "--model",
      "tiny",
      "--version",
      "1.0.0",
      "--output",
      "m.json"
    )
    _ = try await publish("sign", "m.json", "--key", "keys/release.key")
    var bytes = SampleModel.gguf()
    bytes[150] ^= 1
    try place(bytes, at: "release/a.gguf")
    try place(Array(bytes.dropLast()), at: "release/b.gguf")
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("release/c.gguf"))
    try place([1], at: "release/extra/.hidden")
    let arguments = ["verify", "m.json", "--key", "keys/release.pub", "--files", "release"]
    let outcome = try await publish(arguments)
    #expect(outcome.exitCode == 5)
    #expect(
      outcome.output.hasSuffix(
        """
        a.gguf differs in 1 chunk: bytes 0-159
        b.gguf has 159 bytes, expected 160
        c.gguf is missing
        extra/.hidden is a file that the manifest does not have

        """
      ),
      "\(outcome.output)"
    )
    #expect(outcome.errors.hasSuffix("error: 4 entries in release differ from the manifest\n"))
    let json = try await publish(arguments + ["--json"])
    let findings = try json.events().filter { $0["event"] == "finding" }
    #expect(
      findings.map { $0["path"] } == ["a.gguf", "b.gguf", "c.gguf", "extra/.hidden"]
    )
    #expect(findings.map { $0["code"] } == ["modified", "truncated", "missing", "extra"])
    #expect(try json.summary()["findings"] == 4)
    #expect(try json.summary()["exit"] == 5)
  }

  @Test(arguments: [
    (["verify"], 2), (["verify", "m.json"], 2),
    (["verify", "m.json", "--key", "absent.pub"], 3),
    (["verify", "absent.json", "--key", "keys/release.pub"], 3),
    (["verify", "m.json", "--key", "keys/release.key"], 2),
    (["verify", "m.json", "--key", "keys/release.pub", "--threshold", "0"], 2),
    (["verify", "m.json", "--key", "keys/release.pub", "--threshold", "2"], 2),
    (["verify", "m.json", "--key", "keys/release.pub", "--files", "absent"], 3),
  ])
  func `a check that makes no sense is refused`(arguments: [String], code: Int) async throws {
    try await buildSignedManifest()
    let outcome = try await publish(arguments)
    #expect(outcome.exitCode == code)
    #expect(outcome.errors.hasPrefix("error: "))
  }

  @Test func `show prints what the manifest says and verifies nothing`() async throws {
    try await buildSignedManifest("--runtime", "llama.cpp:b5873", "--license", "MIT")
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    let outcome = try await publish("show", "m.json")
    #expect(outcome.exitCode == 0)
    for line in [
      "model     acme/tiny", "version   1.0.0", "license   MIT", "size      160 bytes",
      "runtimes  llama.cpp ≥ b5873 (stated by the publisher, GGUF version 3 b1405)",
      "mirrors   https://example.com/{sha256}", "signers   \(key.fingerprint) (claimed)",
      "nothing was verified; sealift-publish verify does that",
      "model.gguf    160  weights  gguf 3, llama, F32       1  \(SHA256Digest(of: SampleModel.gguf()))",
    ] {
      #expect(outcome.output.contains("\(line)\n"), "\(outcome.output)")
    }
    let json = try await publish("show", "m.json", "--json")
    let summary = try json.summary()
    #expect(summary["isVerified"] == false)
    #expect(summary["claimedSigners"] == [.string(key.fingerprint.description)])
    #expect(summary["manifestSha256"] == .string(try manifest().payloadDigest.hex))
    let file = try #require(try json.events().first)
    #expect(file["event"] == "file")
    #expect(file["architecture"] == "llama")
    #expect(file["chunks"] == 1)
  }
}
