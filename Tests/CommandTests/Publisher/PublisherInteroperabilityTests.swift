import Digests
import Foundation
import Manifests
import Signatures
import StrictJSON
import TestSupport
import Testing

/// Other implementations accept what is signed here, and what they sign is accepted here.
@Suite(.temporaryFolder)
struct PublisherInteroperabilityTests {
  /// The bytes that DSSE signs, put together from its specification alone.
  private func signedBytes(_ payload: [UInt8]) -> [UInt8] {
    Array("DSSEv1 28 application/vnd.in-toto+json \(payload.count) ".utf8) + payload
  }

  private func openssl(_ arguments: String...) async throws -> ToolOutcome {
    var tool = try #require(Tool.installed("openssl"))
    tool.folder = TemporaryFolder.current
    return try await tool.run(arguments)
  }

  private func writeEnvelope(_ payload: [UInt8], signature: [UInt8], keyID: String) throws {
    let json: JSONValue = [
      "payload": .string(Base64.encode(payload)),
      "payloadType": "application/vnd.in-toto+json",
      "signatures": [["keyid": .string(keyID), "sig": .string(Base64.encode(signature))]],
    ]
    try place(JSONWriter.compact(json), at: "m.json")
  }

  @Test func `openssl verifies a manifest that was signed here`() async throws {
    try await buildSignedManifest()
    let envelope = try manifest()
    try place(signedBytes(envelope.payload), at: "pae.bin")
    try place(try #require(envelope.signatures.first).bytes, at: "sig.bin")
    let verify = [
      "pkeyutl", "-verify", "-pubin", "-inkey", "keys/release.pub", "-rawin", "-in", "pae.bin",
      "-sigfile", "sig.bin",
    ]
    var tool = try #require(Tool.installed("openssl"))
    tool.folder = TemporaryFolder.current
    #expect(try await tool.run(verify).exitCode == 0)
    try place(signedBytes(envelope.payload + [UInt8(ascii: " ")]), at: "pae.bin")
    #expect(try await tool.run(verify).exitCode == 1)
  }

  @Test func `a manifest that openssl signed verifies here`() async throws {
    try await buildManifest()
    let payload = try manifest().payload
    try place(signedBytes(payload), at: "pae.bin")
    _ = try await openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    _ = try await openssl("pkey", "-in", "key.pem", "-pubout", "-out", "key.pub")
    let signed = try await openssl(
      "pkeyutl",
      "-sign",
      "-inkey",
      "key.pem",
      "-rawin",
      "-in",
      "pae.bin",
      "-out",
      "sig.bin"
    )
    #expect(signed.exitCode == 0)
    try writeEnvelope(payload, signature: try contents("sig.bin"), keyID: "")
    let outcome = try await publish("verify", "m.json", "--key", "key.pub")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
  }

  @Test(arguments: [false, true])
  func `keys that openssl made sign here`(isEncrypted: Bool) async throws {
    let cipher = isEncrypted ? ["-aes256", "-pass", "pass:correct horse"] : []
    var tool = try #require(Tool.installed("openssl"))
    tool.folder = TemporaryFolder.current
    _ = try await tool.run(["genpkey", "-algorithm", "ed25519", "-out", "key.pem"] + cipher)
    let open = isEncrypted ? ["-passin", "pass:correct horse"] : []
    _ = try await tool.run(["pkey", "-in", "key.pem", "-pubout", "-out", "key.pub"] + open)
    try await buildManifest()
    let signed = try await publish(
      "sign",
      "m.json",
      "--key",
      "key.pem",
      "--passphrase-env",
      "PASS",
      environment: ["PASS": "correct horse"]
    )
    #expect(signed.exitCode == 0, "\(signed.errors)")
    let verified = try await publish("verify", "m.json", "--key", "key.pub")
    #expect(verified.exitCode == 0)
  }

  @Test func `openssl reads the keys that are made here`() async throws {
    try place(Array("correct horse".utf8), at: "passphrase")
    _ = try await publish("key", "new", "release", "--passphrase-file", "passphrase")
    let opened = try await openssl(
      "pkey",
      "-in",
      "keys/release.key",
      "-passin",
      "file:passphrase",
      "-pubout"
    )
    let key = try PublicKey(text: opened.output)
    #expect(try key == PublicKey(file: TemporaryFolder.path("keys/release.pub")))
    let read = try await openssl("pkey", "-pubin", "-in", "keys/release.pub", "-noout")
    #expect(read.exitCode == 0)
  }

  @Test(.enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice))
  func `securesystemslib verifies a manifest that was signed here`() async throws {
    try await makeKey("a")
    try await makeKey("b")
    try await buildManifest()
    for name in ["a", "b"] { _ = try await publish("sign", "m.json", "--key", "keys/\(name).key") }
    let script = """
      import json, sys
      from securesystemslib.dsse import Envelope
      from securesystemslib.signer import SSlibKey
      keys = [SSlibKey(i, "ed25519", "ed25519", {"public": p})
              for i, p in zip(sys.argv[1::2], sys.argv[2::2])]
      accepted = Envelope.from_dict(json.load(open("m.json"))).verify(keys, len(keys))
      print(len(accepted))
      """
    let keys = try ["a", "b"].map { try PublicKey(file: TemporaryFolder.path("keys/\($0).pub")) }
    let outcome = try await PythonEnvironment.run(
      script,
      keys[0].fingerprint.description,
      hex(keys[0].bytes),
      keys[1].fingerprint.description,
      hex(keys[1].bytes)
    )
    #expect(outcome.output == "2\n", "\(outcome.errors)")
  }

  @Test(.enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice))
  func `a manifest that securesystemslib signed verifies here`() async throws {
    try await buildManifest()
    let script = """
      import json
      from securesystemslib.dsse import Envelope
      from securesystemslib.signer import CryptoSigner
      envelope = Envelope.from_dict({**json.load(open("m.json")), "signatures": []})
      signer = CryptoSigner.generate_ed25519()
      envelope.sign(signer)
      json.dump(envelope.to_dict(), open("m.json", "w"))
      print(signer.public_key.keyval["public"])
      """
    let signed = try await PythonEnvironment.run(script)
    let key = signed.output.trimmingCharacters(in: .newlines)
    let outcome = try await publish("verify", "m.json", "--key", key)
    #expect(outcome.exitCode == 0, "\(signed.errors)\(outcome.errors)")
    try await makeKey()
    let added = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(added.exitCode == 0)
    let both = try await publish(
      "verify",
      "m.json",
      "--key",
      key,
      "--key",
      "keys/release.pub",
      "--threshold",
      "2"
    )
    #expect(both.exitCode == 0)
  }

  @Test(.enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice))
  func `in-toto's own library takes the payload for a statement about the files`() async throws {
    try await buildManifest()
    let script = """
      import base64, json
      from google.protobuf.json_format import Parse
      import in_toto_attestation.v1.statement_pb2 as pb
      from in_toto_attestation.v1.statement import Statement
      payload = base64.b64decode(json.load(open("m.json"))["payload"])
      statement = Statement.copy_from_pb(Parse(payload, pb.Statement()))
      statement.validate()
      subject = statement.pb.subject[0]
      print(statement.pb.predicate_type, subject.name, subject.digest["sha256"])
      """
    let outcome = try await PythonEnvironment.run(script)
    let digest = SHA256Digest(of: SampleModel.gguf()).hex
    #expect(
      outcome.output == "urn:sealift:model-release:v1 model.gguf \(digest)\n",
      "\(outcome.errors)"
    )
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }
}
