import Foundation
import Manifests
import Publishing
import Signatures
import StrictJSON
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct PublisherSignTests {
  @Test func `sign shows what it signs, and adds to what others signed`() async throws {
    let first = try await makeKey("a")
    let second = try await makeKey("b")
    try await buildManifest()
    let payload = try manifest().payload
    let one = try await publish("sign", "m.json", "--key", "keys/a.key")
    #expect(one.exitCode == 0)
    #expect(one.output == "signed by \(first)\n")
    #expect(
      one.errors == """
        signing m.json
        model:    acme/tiny
        version:  1.0.0
        files:    1 file, 160 bytes
        expires:  never
        signatures: 1

        """
    )
    let signature = try manifest().signatures
    let two = try await publish("sign", "m.json", "--key", "keys/b.key")
    #expect(two.exitCode == 0)
    let both = try manifest()
    #expect(both.payload == payload)
    #expect(both.signatures.prefix(1) == signature[...])
    #expect(both.signatures.map(\.keyID) == [first, second])
  }

  @Test func `a key that has signed is refused, and nothing changes`() async throws {
    try await buildSignedManifest()
    let before = try contents("m.json")
    let again = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(again.exitCode == 2)
    #expect(
      again.errors.contains("has already signed this manifest\n  note: nothing was changed\n")
    )
    #expect(try contents("m.json") == before)
  }

  @Test(arguments: [
    ("{}", 6), ("not JSON", 6),
    (#"{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[]}"#, 9),
    (#"{"payload":"e30=","payloadType":"text/plain","signatures":[]}"#, 9),
  ])
  func `what is no manifest is not signed`(text: String, code: Int) async throws {
    try await makeKey()
    try place(Array(text.utf8), at: "m.json")
    let outcome = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(outcome.exitCode == code)
    #expect(try contents("m.json") == Array(text.utf8))
  }

  @Test func `a manifest that is not there ends with 3`() async throws {
    try await makeKey()
    let outcome = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors.hasPrefix("error: there is no m.json\n"))
  }

  @Test func `a link is not replaced by a file`() async throws {
    try await makeKey()
    try await buildManifest()
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("link.json"),
      withDestinationPath: "m.json"
    )
    let outcome = try await publish("sign", "link.json", "--key", "keys/release.key")
    #expect(outcome.exitCode == 8)
    #expect(outcome.errors.contains("/link.json is a symbolic link"))
    #expect(try manifest().signatures.isEmpty)
  }

  @Test func `an expired release is signed with a warning`() async throws {
    try await makeKey()
    try await buildManifest("--expires", "2026-01-01T00:00:00Z")
    let outcome = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.contains("warning: the release expired at 2026-01-01T00:00:00Z"))
  }

  @Test func `JSON output names the signer`() async throws {
    let key = try await makeKey()
    try await buildManifest()
    let summary = try await publish("sign", "m.json", "--key", "keys/release.key", "--json")
      .summary()
    #expect(summary["signer"] == .string(key))
    #expect(summary["signatures"] == 1)
    #expect(summary["model"] == "acme/tiny")
  }
}
