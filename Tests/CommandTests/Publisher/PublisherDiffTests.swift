import Digests
import Foundation
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// `diff` says what an update changes and what it costs; `show` says all that a manifest says.
@Suite(.temporaryFolder)
struct PublisherDiffTests {
  private static let chunk = 4096

  private func file(_ path: String, _ bytes: [UInt8]) throws -> SimulatedFile {
    try SimulatedFile(path, bytes, chunkLength: Self.chunk)
  }

  /// Weights of five chunks of which the third and the last, short one are new, and one file of each kind of change.
  private func releases() throws -> (old: SimulatedRelease, new: SimulatedRelease) {
    let bytes = SampleBytes(seed: 7)
    let weights = bytes[0..<4 * Self.chunk + 100]
    var changed = weights
    changed[2 * Self.chunk] ^= 1
    changed += bytes[50_000..<50_050]
    let moved = bytes[60_000..<60_300]
    var labels = try file("labels.txt", [1, 2, 3])
    var old = try SimulatedRelease(
      "acme/tiny",
      "1.0.0",
      files: [
        file("weights.bin", weights), file("old-name.bin", moved), file("gone.txt", [1]), labels,
        file("same.txt", [9, 9]),
      ]
    )
    labels.role = .tokenizer
    var new = try SimulatedRelease(
      "acme/tiny",
      "1.1.0",
      files: [
        file("weights.bin", changed), file("new-name.bin", moved), file("added.txt", [5, 6]),
        labels, file("same.txt", [9, 9]),
      ]
    )
    old.mirrors = [try MirrorTemplate("https://a.example/{name}")]
    new.mirrors = [try MirrorTemplate("https://b.example/{name}")]
    old.runtimes = [try Self.runtime("b1000")]
    new.runtimes = [try Self.runtime("b2000")]
    new.details.expires = try Timestamp("2030-01-01T00:00:00Z")
    return (old, new)
  }

  private static func runtime(_ minimum: String) throws -> RuntimeRequirement {
    try RuntimeRequirement(name: RuntimeName("llama.cpp"), scheme: .build, minimum: minimum)
  }

  private func placed() throws -> (old: SimulatedRelease, new: SimulatedRelease) {
    let (old, new) = try releases()
    let (a, b) = (try SimulatedSigner("a"), try SimulatedSigner("b"))
    try place(try old.manifest(signedBy: [a]), at: "old.json")
    try place(try new.manifest(signedBy: [a, b]), at: "new.json")
    return (old, new)
  }

  @Test func `each change of files and facts has its line, and the update its bytes`() async throws
  {
    let (old, new) = try placed()
    let b = try SimulatedSigner("b").fingerprint
    let outcome = try await publish("diff", "old.json", "new.json")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
        from       acme/tiny 1.0.0, payload SHA-256 \(try old.digest())
        to         acme/tiny 1.1.0, payload SHA-256 \(try new.digest())
        added      added.txt: 2 bytes, 2 bytes needed
        removed    gone.txt: 1 byte
        restated   labels.txt: other role
        renamed    old-name.bin to new-name.bin
        changed    weights.bin: 16,484 to 16,534 bytes (16.1 KiB), 4,246 bytes (4.1 KiB) needed
        update     needs 4,248 bytes (4.1 KiB) of 16,841 bytes (16.4 KiB)
        version    - 1.0.0
                   + 1.1.0
        expires    + 2030-01-01T00:00:00Z
        runtimes   - llama.cpp ≥ b1000
                   + llama.cpp ≥ b2000
        mirrors    - https://a.example/{name}
                   + https://b.example/{name}
        signers    + \(b) (claimed)
        nothing was verified; sealift-publish verify does that

        """,
      "\(outcome.output)"
    )
  }

  @Test func `programs get each change as an event and the bytes as a sum`() async throws {
    _ = try placed()
    let json = try await publish("diff", "old.json", "new.json", "--json")
    let files = try json.events().filter { $0["event"] == "file" }
    #expect(
      files.map { $0["change"] } == ["added", "removed", "restated", "renamed", "changed"]
    )
    #expect(files.map { $0["neededBytes"] } == [2, 0, 0, 0, 4246])
    #expect(files[2]["facts"] == ["role"])
    let facts = try json.events().filter { $0["event"] == "fact" }
    #expect(facts.map { $0["name"] } == ["version", "expires", "runtimes", "mirrors"])
    let summary = try json.summary()
    #expect(summary["neededBytes"] == 4248)
    #expect(summary["differs"] == true && summary["isVerified"] == false)
    #expect(
      summary["addedSigners"] == [.string(try SimulatedSigner("b").fingerprint.description)]
    )
    #expect(summary["removedSigners"] == [])
  }

  @Test func `the exit code is 10 for a difference where that is asked for`() async throws {
    _ = try placed()
    #expect(try await publish("diff", "--exit-code", "old.json", "new.json").exitCode == 10)
    let same = try await publish("diff", "--exit-code", "old.json", "old.json")
    #expect(same.exitCode == 0)
    #expect(same.output.hasSuffix(": both are the same\n"))
  }

  @Test func `a signature more is a difference of its own, and costs no byte`() async throws {
    let (old, _) = try placed()
    let signers = [try SimulatedSigner("a"), try SimulatedSigner("c")]
    try place(try old.manifest(signedBy: signers), at: "more.json")
    let outcome = try await publish("diff", "--exit-code", "old.json", "more.json")
    #expect(outcome.exitCode == 10)
    #expect(outcome.output.contains("signers    + \(signers[1].fingerprint) (claimed)\n"))
    #expect(!outcome.output.contains("update"))
  }

  @Test func `what only other spelling of the payload changes is told as that`() async throws {
    let (old, _) = try placed()
    let payload = try old.release().encode() + [UInt8(ascii: " ")]
    try place(Envelope(payload: payload).encode(), at: "spaced.json")
    let outcome = try await publish("diff", "--exit-code", "old.json", "spaced.json")
    #expect(outcome.exitCode == 10)
    #expect(
      outcome.output.contains("payload    differs in nothing that this version knows\n"),
      "\(outcome.output)"
    )
    #expect(outcome.output.contains("update     needs no byte"))
  }

  @Test(arguments: [
    (["absent.json", "old.json"], 3, "absent.json"), (["old.json", "text.json"], 6, "text.json: "),
    (["old.json"], 2, "NEW"),
  ])
  func `what is no manifest is named`(paths: [String], code: Int, words: String) async throws {
    _ = try placed()
    try place(Array("text".utf8), at: "text.json")
    let outcome = try await publish(["diff"] + paths)
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `show says all that a manifest says, to people and to programs`() async throws {
    var (_, new) = try releases()
    new.details = ReleaseDetails(
      expires: try Timestamp("2020-01-01T00:00:00Z"),
      title: "Tiny",
      baseModels: ["acme/base"],
      provenance: ["made": "by hand"],
      needs: HostNeeds(memory: 1 << 20, disk: 2 << 20, platform: ["linux-x86_64"])
    )
    new.files[0].mirrors = [try MirrorTemplate("https://c.example/weights?token=secret")]
    try place(try new.manifest(signedBy: []), at: "m.json")
    let outcome = try await publish("show", "m.json", "--chunks")
    for line in [
      "expires   2020-01-01T00:00:00Z, which has passed", "title     Tiny",
      "chunks    9 chunks, the longest of 4,096 bytes (4.0 KiB)",
      "          weights.bin: https://c.example/weights", "base      acme/base",
      "requires  1,048,576 bytes (1.0 MiB) of memory", "made      {\"made\":\"by hand\"}",
      "signers   none", "chunk     added.txt 0-1 \(SHA256Digest(of: [5, 6]))",
    ] { #expect(outcome.output.contains("\(line)\n"), "\(line)\n\(outcome.output)") }
    #expect(!outcome.output.contains("secret"))
    let json = try await publish("show", "m.json", "--json", "--chunks")
    let summary = try json.summary()
    #expect(summary["hasExpired"] == true)
    #expect(
      summary["requires"] == ["platform": ["linux-x86_64"], "memory": 1_048_576, "disk": 2_097_152]
    )
    #expect(summary["provenance"] == ["made": "by hand"])
    #expect(summary["baseModels"] == ["acme/base"])
    #expect(summary["chunks"] == 9)
    let weights = try #require(try json.events().first { $0["path"] == "weights.bin" })
    guard case .array(let chunks)? = weights["chunkTable"] else {
      Issue.record("\(weights)")
      return
    }
    #expect(chunks.count == 5 && weights["longestChunk"] == 4096)
    #expect(!json.output.contains("secret"))
  }
}
