import Foundation
import Manifests
import Signatures
import StrictJSON
import TestSupport
import Testing

/// Signatures that are made apart from each other, with files that are carried.
@Suite(.temporaryFolder)
struct PublisherMergeTests {
  /// Makes keys, builds `m.json`, and a copy `NAME.json` for each of `signers` that it has signed.
  private func signApart(_ signers: String...) async throws {
    for name in ["a", "b", "c"] { try await makeKey(name) }
    try await buildManifest()
    for name in signers {
      try place(try contents("m.json"), at: "\(name).json")
      let outcome = try await publish("sign", "\(name).json", "--key", "keys/\(name).key")
      try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }
  }

  private func key(_ name: String) throws -> PublicKey {
    try PublicKey(file: TemporaryFolder.path("keys/\(name).pub"))
  }

  private func envelope(_ name: String) throws -> Envelope {
    try Envelope(parsing: try contents(name))
  }

  private static let allKeys = [
    "--key", "keys/a.pub", "--key", "keys/b.pub", "--key", "keys/c.pub",
  ]

  @Test func `signatures of all come together, and the payload stays`() async throws {
    try await signApart("a", "b")
    let payload = try manifest().payload
    let merged = try await publish(
      ["signatures", "merge", "m.json", "a.json", "b.json"] + Self.allKeys
    )
    #expect(merged.exitCode == 0, "\(merged.errors)")
    #expect(merged.errors.isEmpty)
    let names = try ["a", "b"].map { try key($0).fingerprint.description }
    #expect(
      merged.output == """
        signed by \(names[0])
        signed by \(names[1])
        m.json: 2 signatures, 2 new

        """
    )
    #expect(try manifest().payload == payload)
    #expect(try manifest().signatures.map(\.keyID) == names)
    let verified = try await publish(["verify", "m.json", "--threshold", "2"] + Self.allKeys)
    #expect(verified.exitCode == 0)
    #expect(verified.output.contains("2 of 3 keys signed, 2 needed"))
    // Once more changes nothing, not even the file.
    let before = try FileManager.default.attributesOfItem(atPath: TemporaryFolder.path("m.json"))
    let again = try await publish(["signatures", "merge", "m.json", "a.json"] + Self.allKeys)
    #expect(again.output.hasSuffix("m.json: 2 signatures, 0 new\n"))
    let after = try FileManager.default.attributesOfItem(atPath: TemporaryFolder.path("m.json"))
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
  }

  @Test func `without keys signatures go by their names, with a warning`() async throws {
    try await signApart("a", "b")
    let merged = try await publish(
      "signatures",
      "merge",
      "a.json",
      "b.json",
      "--output",
      "out.json",
      "--json"
    )
    #expect(merged.exitCode == 0)
    #expect(merged.errors.hasPrefix("warning: no signature was verified\n"))
    let summary = try merged.summary()
    #expect(summary["isVerified"] == false)
    #expect(summary["signatures"] == 2)
    #expect(try envelope("out.json").signatures.count == 2)
    #expect(try envelope("a.json").signatures.count == 1)
  }

  @Test func `signatures that stand in the output already are not lost`() async throws {
    try await signApart("a", "b", "c")
    try place(try contents("c.json"), at: "out.json")
    let arguments = ["signatures", "merge", "a.json", "b.json", "--output", "out.json"]
    #expect(try await publish(arguments + Self.allKeys).exitCode == 0)
    #expect(
      try envelope("out.json").signers(among: ["a", "b", "c"].map(key)).count == 3
    )
  }

  @Test func `one key counts once, under whatever names`() async throws {
    try await signApart("a", "b")
    var renamed = try envelope("a.json")
    renamed = try renamedSignatures(of: renamed, to: try key("b").fingerprint.description)
    try place(renamed.encode(), at: "renamed.json")
    let arguments = ["signatures", "merge", "a.json", "renamed.json", "--output", "out.json"]
    let merged = try await publish(arguments + Self.allKeys)
    #expect(merged.exitCode == 0, "\(merged.errors)")
    #expect(try envelope("out.json").signatures == envelope("a.json").signatures)
    // By names alone, two different signatures of one name are a contradiction.
    let names = try await publish(
      "signatures",
      "merge",
      "b.json",
      "renamed.json",
      "--output",
      "x.json"
    )
    #expect(names.exitCode == 6)
    #expect(names.errors.contains("there are two different signatures under the name of"))
    #expect(!isThere("x.json"))
  }

  @Test func `what one key signed twice in the output is one signature, and none is new`()
    async throws
  {
    try await signApart("a", "b")
    let text = String(decoding: try contents("a.json"), as: UTF8.self)
    let parts = try #require(text.firstMatch(of: /"signatures":\s*\[\s*(\{[^}]*\})/)).output
    let twice = text.replacingOccurrences(of: parts.1, with: "\(parts.1), \(parts.1)")
    try place(Array(twice.utf8), at: "twice.json")
    try #require(try envelope("twice.json").signatures.count == 2)
    let merge = ["signatures", "merge", "twice.json"]
    let one = try await publish(merge + ["b.json", "--output", "twice.json"] + Self.allKeys)
    #expect(one.output.hasSuffix("twice.json: 2 signatures, 1 new\n"), "\(one.errors)")
    try place(Array(twice.utf8), at: "twice.json")
    let none = try await publish(merge + Self.allKeys)
    #expect(none.output.hasSuffix("twice.json: 1 signature, 0 new\n"), "\(none.errors)")
  }

  /// The envelope as its JSON has it with other names of keys.
  private func renamedSignatures(of envelope: Envelope, to name: String) throws -> Envelope {
    let text = String(decoding: envelope.encode(), as: UTF8.self)
    let old = try #require(envelope.signatures.first).keyID
    return try Envelope(parsing: Array(text.replacingOccurrences(of: old, with: name).utf8))
  }

  @Test func `another manifest is refused, by the digests of both`() async throws {
    try await signApart("a")
    let before = try contents("a.json")
    try await buildManifest(version: "1.0.1")
    let outcome = try await publish("signatures", "merge", "a.json", "m.json")
    #expect(outcome.exitCode == 6)
    #expect(
      outcome.errors == """
        error: m.json: the signatures are for another manifest
          note: expected the manifest \(try envelope("a.json").payloadDigest)
          note: found the manifest \(try manifest().payloadDigest)
          note: nothing was changed
          help: signatures stand for one manifest: sign the same file, byte for byte

        """
    )
    #expect(try contents("a.json") == before)
  }

  @Test func `the same text under another type is another manifest`() async throws {
    try await signApart("a", "b")
    let text = String(decoding: try contents("b.json"), as: UTF8.self)
    let other = text.replacingOccurrences(of: Envelope.statementType, with: "text/plain")
    try place(Array(other.utf8), at: "b.json")
    let outcome = try await publish("signatures", "merge", "a.json", "b.json")
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.hasPrefix("error: b.json: the signatures are for another manifest\n"))
  }

  @Test func `a signature that is none of the keys' is refused with its place`() async throws {
    try await signApart("a", "b")
    let before = try contents("a.json")
    let stranger = try await publish(
      "signatures",
      "merge",
      "a.json",
      "b.json",
      "--key",
      "keys/a.pub"
    )
    #expect(stranger.exitCode == 6)
    let name = try key("b").fingerprint
    #expect(
      stranger.errors.hasPrefix(
        "error: b.json: signature 1, which names \(name), is not one of this manifest by any key that was given\n"
      ),
      "\(stranger.errors)"
    )
    // A signature with one bit changed, under the name of a trusted key.
    let broken = try flipped("b.json")
    try place(broken, at: "b.json")
    let outcome = try await publish(["signatures", "merge", "a.json", "b.json"] + Self.allKeys)
    #expect(outcome.exitCode == 6)
    #expect(try contents("a.json") == before)
  }

  /// The file with one changed bit in its signature.
  private func flipped(_ name: String) throws -> [UInt8] {
    let envelope = try envelope(name)
    var bytes = try #require(envelope.signatures.first).bytes
    let text = Base64.encode(bytes)
    bytes[40] ^= 1
    let file = String(decoding: try contents(name), as: UTF8.self)
    return Array(file.replacingOccurrences(of: text, with: Base64.encode(bytes)).utf8)
  }

  @Test(arguments: ["", "ada", "SHA256:short"])
  func `without keys a signature must name its key`(name: String) async throws {
    try await signApart("a")
    try place(try renamedSignatures(of: envelope("a.json"), to: name).encode(), at: "b.json")
    let outcome = try await publish("signatures", "merge", "m.json", "b.json")
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.hasPrefix("error: b.json: signature 1 is not one of Ed25519 under"))
    // With keys the name does not matter, and is put right.
    #expect(
      try await publish(["signatures", "merge", "m.json", "b.json"] + Self.allKeys).exitCode == 0
    )
    #expect(try manifest().signatures.map(\.keyID) == [try key("a").fingerprint.description])
  }

  @Test func `what is missing or no manifest is told`() async throws {
    try await signApart("a")
    #expect(try await publish("signatures", "merge").exitCode == 2)
    #expect(try await publish("signatures", "merge", "a.json", "absent.json").exitCode == 3)
    try place(Array("{}".utf8), at: "b.json")
    #expect(try await publish("signatures", "merge", "a.json", "b.json").exitCode == 6)
    let empty = Envelope(payload: Array("{}".utf8)).encode()
    try place(empty, at: "c.json")
    #expect(try await publish("signatures", "merge", "c.json").exitCode == 9)
  }
}
