import Foundation
import Manifests
import Signatures
import StrictJSON
import TestSupport
import Testing

/// What `sign` is told to do: to try, to expect a key, and what makes no sense together.
@Suite(.temporaryFolder)
struct PublisherSignOptionTests {
  private static let key = ["--key", "keys/release.key"]
  private static let fingerprint = "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8"

  @Test(arguments: [
    ([], "nobody is named to sign"),
    (["--key", "k", "--signer", "x", "--pub", "p"], "only one of"),
    (["--key", "k", "--emit-payload"], "only one of"),
    (["--ssh-agent", "nonsense"], "\"nonsense\" is no fingerprint"),
    (["--ssh-agent", "\(fingerprint)="], "is no fingerprint"),
    (["--signer", "x"], "--signer needs one --pub"),
    (["--attach", "s"], "--attach needs one --pub"),
    (["--attach", "s", "--pub", "a", "--pub", "b"], "--attach needs one --pub"),
    (["--attach", "s", "--pub", "a", "--check"], "--check and --attach exclude each other"),
    (["--emit-payload", "--check"], "--check and --emit-payload exclude each other"),
    (["--emit-payload", "--pub", "p"], "--pub and --emit-payload exclude each other"),
    (["--emit-payload", "--json"], "--emit-payload needs --output FILE"),
    (["--key", "k", "--output", "o"], "--output goes with --emit-payload only"),
  ])
  func `options that make no sense are refused`(options: [String], message: String) async throws {
    try await buildManifest()
    let outcome = try await publish(["sign", "m.json"] + options)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `the key must be one of those that are expected`() async throws {
    let signer = try await makeKey()
    let other = try await makeKey("other")
    try await buildManifest()
    let before = try contents("m.json")
    for check in [["--check"], []] {
      let wrong = try await publish(
        ["sign", "m.json", "--pub", "keys/other.pub"] + Self.key + check
      )
      #expect(wrong.exitCode == 6)
      #expect(
        wrong.errors.hasSuffix(
          """
          error: \(signer) is none of the keys after --pub
            note: expected \(other)
            note: nothing was written
            help: sealift-publish explain unexpectedKey says more

          """
        ),
        "\(wrong.errors)"
      )
      #expect(try contents("m.json") == before)
    }
    let both = ["--pub", "keys/other.pub", "--pub", "keys/release.pub"]
    #expect(try await publish(["sign", "m.json"] + Self.key + both).exitCode == 0)
  }

  @Test func `a check does everything but write`() async throws {
    let signer = try await makeKey()
    try await buildManifest()
    let before = try contents("m.json")
    let outcome = try await publish(["sign", "m.json", "--check"] + Self.key)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "\(signer) can sign m.json\n")
    #expect(outcome.errors.hasPrefix("checking m.json\nmodel:    acme/tiny\n"))
    let json = try await publish(["sign", "m.json", "--check", "--json"] + Self.key).summary()
    #expect(json["signer"] == .string(signer))
    #expect(json["isWritten"] == false)
    #expect(json["signatures"] == nil)
    #expect(try contents("m.json") == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.current)
    #expect(Set(names) == ["keys", "m.json", "model.gguf"])
  }

  @Test func `a check fails where signing would, or should not be done`() async throws {
    try await makeKey()
    try await buildManifest("--expires", "2026-01-01T00:00:00Z")
    let check = ["sign", "m.json", "--check"] + Self.key
    let expired = try await publish(check)
    #expect(expired.exitCode == 6)
    #expect(expired.errors.contains("error: the release expired at 2026-01-01T00:00:00Z"))
    try await buildManifest()
    let signer = try await publish([
      "sign", "m.json", "--check", "--signer", "false", "--pub", "keys/release.pub",
    ])
    #expect(signer.exitCode == 8)
    _ = try await publish(["sign", "m.json"] + Self.key)
    #expect(try await publish(check).exitCode == 2)
    try place(Array("{}".utf8), at: "m.json")
    #expect(try await publish(check).exitCode == 6)
  }

  @Test func `a release of the future, or a clock of the past, fails the check`() async throws {
    try await makeKey()
    let built = try await publish(
      "build",
      "--declare",
      "a.gguf:160:\(String(repeating: "0", count: 64))",
      "--model",
      "tiny",
      "--version",
      "1.0.0",
      "--released",
      "9000-01-01T00:00:00Z",
      "--mirror",
      "https://example.com/a",
      "--runtime",
      "llama.cpp:b1405",
      "--output",
      "m.json"
    )
    #expect(built.exitCode == 0, "\(built.errors)")
    let outcome = try await publish(["sign", "m.json", "--check"] + Self.key)
    #expect(outcome.exitCode == 8)
    #expect(outcome.errors.contains("  note: the release says 9000-01-01T00:00:00Z\n"))
  }
}
