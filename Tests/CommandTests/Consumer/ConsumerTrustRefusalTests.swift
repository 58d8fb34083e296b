import Foundation
import Manifests
import ReleaseSimulator
import TestSupport
import Testing

/// What nobody trusted has signed is refused before any mirror is asked and before the store is touched.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerTrustRefusalTests {
  private let content = ConsumerRelease.Content.random(50_000)
  private var release: ConsumerRelease { ConsumerRelease(files: ["weights.bin": content]) }

  /// Tries to install from a mirror that must not be asked.
  private func refuse(_ home: ConsumerHome, _ manifest: String) async throws -> ToolOutcome {
    let mirror = try FaultyMirror(files: ["weights.bin": content.bytes])
    let outcome = try await home.run(["install", manifest, "--mirror", "\(mirror.url)/{name}"])
    #expect(mirror.requests.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: home.store))
    return outcome
  }

  @Test func `a key that is not trusted`() async throws {
    let home = try await ConsumerHome.trusting()
    let other = try home.signer(named: "stranger")
    let manifest = try home.publish(release, signedBy: [other])
    try await refuse(home, manifest).expectRefusal(
      6,
      "no trusted key has signed the manifest",
      note: "it names these signers: \(other.fingerprint)",
      help: "sealift trust list shows the trusted keys, sealift trust add adds one"
    )
  }

  @Test func `no key at all is trusted yet`() async throws {
    let home = try ConsumerHome()
    try await refuse(home, home.publish(release)).expectRefusal(
      6,
      "no trusted key has signed the manifest",
      help: "sealift trust list shows the trusted keys"
    )
  }

  @Test func `a key that is trusted for other models`() async throws {
    let home = try await ConsumerHome.trusting("umbrella/*")
    try await refuse(home, home.publish(release)).expectRefusal(
      6,
      "no trusted key may sign acme/tiny",
      help: "sealift trust add KEY --models PATTERN"
    )
  }

  @Test func `a manifest without a signature`() async throws {
    let home = try await ConsumerHome.trusting()
    try await refuse(home, home.publish(release, signedBy: [])).expectRefusal(
      6,
      "no trusted key has signed the manifest",
      note: "it has no signature"
    )
  }

  @Test(arguments: ["payload", "sig"])
  func `a manifest with one character changed`(member: String) async throws {
    let home = try await ConsumerHome.trusting()
    var text = String(decoding: try release.envelope(signedBy: [home.signer]), as: UTF8.self)
    let start = try #require(text.range(of: "\"\(member)\": \"")).upperBound
    let place = text.index(start, offsetBy: 40)
    text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
    let manifest = try home.write(Array(text.utf8), to: "tampered.json")
    try await refuse(home, manifest).expectRefusal(
      6,
      "no signature of a trusted key matches the manifest"
    )
  }

  @Test func `too few of the keys that must sign`() async throws {
    let home = try ConsumerHome()
    let second = try home.signer(named: "second")
    let added = try await home.run([
      "trust", "add", home.keyFile, home.keyFile(of: second),
      "--models", "acme/*", "--threshold", "2",
    ])
    #expect(added.ending == .exited(0), "\(added.errors)")
    try await refuse(home, home.publish(release)).expectRefusal(
      6,
      "1 of 2 keys signed this manifest, 2 needed",
      note: "signed by \(home.signer.fingerprint)",
      help: "the publisher has to add signatures with sealift-publish sign"
    )
    let mirror = try home.fileMirror(release)
    let both = try home.publish(release, signedBy: [second, home.signer])
    let outcome = try await home.run(["install", both, "--mirror", mirror])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  @Test func `a release that has expired`() async throws {
    let home = try await ConsumerHome.trusting()
    var release = release
    release.details.expires = try Timestamp("2026-01-02T00:00:00Z")
    try await refuse(home, home.publish(release)).expectRefusal(
      6,
      "the manifest expired at 2026-01-02T00:00:00Z",
      note: "the clock here says "
    )
  }

  @Test(arguments: [
    ("<!DOCTYPE html><html></html>", "not a signed manifest: "),
    ("", "not a signed manifest: "),
    ("{}", "not a signed manifest: "),
    ("[1, 2]", "not a signed manifest: "),
  ])
  func `what is no envelope`(text: String, message: String) async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await refuse(home, home.write(Array(text.utf8), to: "some.json"))
    outcome.expectRefusal(
      6,
      try #require(outcome.errorLines.first.map { String($0.dropFirst(7)) }),
      help: "a manifest is a DSSE envelope as sealift-publish writes it"
    )
    #expect(outcome.errorLines.first?.hasPrefix("error: \(message)") == true)
  }

  @Test func `a trusted key signed what is no manifest`() async throws {
    let home = try await ConsumerHome.trusting()
    let signed = try home.signer.sign(Envelope(payload: Array("{\"_type\":\"x\"}".utf8))).encode()
    let outcome = try await refuse(home, home.write(signed, to: "odd.json"))
    outcome.expectRefusal(
      9,
      try #require(outcome.errorLines.first.map { String($0.dropFirst(7)) }),
      note: "a trusted key signed it",
      help: "tell the publisher"
    )
    #expect(outcome.errors.hasPrefix("error: the manifest is unusable: "))
  }

  @Test func `an envelope with a hundred thousand signatures`() async throws {
    let home = try await ConsumerHome.trusting()
    let signed = String(decoding: try release.envelope(signedBy: [home.signer]), as: UTF8.self)
    let entry = try #require(signed.range(of: "{", options: .backwards)).lowerBound
    let list = try #require(signed.lastIndex(of: "]"))
    let end = try #require(signed[entry..<list].lastIndex(of: "}"))
    var text = String(signed[..<entry])
    text += repeatElement(String(signed[entry...end]), count: 100_000).joined(separator: ",")
    text += signed[list...]
    let outcome = try await refuse(home, home.write(Array(text.utf8), to: "many.json"))
    #expect(outcome.ending == .exited(6), "\(outcome.errors)")
    #expect(outcome.wallSeconds < 60)
  }

  @Test func `an envelope of twenty megabytes`() async throws {
    let home = try await ConsumerHome.trusting()
    let spaces = [UInt8](repeating: 0x20, count: 20_000_000)
    let bytes = try release.envelope(signedBy: [home.signer]) + spaces
    try await refuse(home, home.write(bytes, to: "huge.json")).expectRefusal(
      6,
      "not a signed manifest: more than 16777216 bytes at byte 16777216"
    )
    let server = try FaultyMirror(files: ["huge.json": bytes])
    let fetched = try await refuse(home, server.url("huge.json"))
    #expect(fetched.ending == .exited(4), "\(fetched.errors)")
    #expect(fetched.errors.contains("16777216 bytes"), "\(fetched.errors)")
  }
}
