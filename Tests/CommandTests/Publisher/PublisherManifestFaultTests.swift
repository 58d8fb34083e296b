import Foundation
import Manifests
import Signatures
import TestSupport
import Testing

/// Files that are no manifest, or another one, in every command that reads one.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherManifestFaultTests {
  private static let commands = [
    "sign FILE --key keys/release.key", "sign FILE --emit-payload",
    "verify FILE --key keys/release.pub",
    "show FILE", "export FILE --format sha256sums", "signatures merge FILE", "mirror check FILE",
    "signatures merge m.json FILE", "diff m.json FILE", "diff FILE m.json",
  ]

  private func run(_ command: String, on file: String) async throws -> ToolOutcome {
    try await publish(
      command.replacing("FILE", with: file).split(separator: " ").map(String.init)
    )
  }

  @Test(arguments: commands)
  func `what is longer than any envelope is no manifest, with one exit code`(
    command: String
  ) async throws {
    try await buildSignedManifest()
    try place(
      [UInt8](repeating: UInt8(ascii: " "), count: Envelope.maximumSize + 1),
      at: "big.json"
    )
    let outcome = try await run(command, on: "big.json")
    #expect(outcome.exitCode == 6, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("error: big.json: not a signed manifest: more than 16777216 bytes")
    )
  }

  @Test(arguments: commands.filter { !$0.hasPrefix("verify") })
  func `what is no manifest is told by its name`(command: String) async throws {
    try await buildSignedManifest()
    try place(Array("{}".utf8), at: "other.json")
    let outcome = try await run(command, on: "other.json")
    #expect(outcome.exitCode == 6, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("error: other.json: not a signed manifest"),
      "\(outcome.errors)"
    )
  }

  @Test func `a signature under the name of a key that is not by it is told, and left out by sign`()
    async throws
  {
    let name = try await makeKey("release")
    try await makeKey("other")
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--key", "keys/other.key")
    let other = try #require(try manifest().signatures.first)
    let forged = String(decoding: try manifest().encode(), as: UTF8.self)
      .replacing(other.keyID, with: name)
    try place(Array(forged.utf8), at: "m.json")
    let words = "warning: a signature under the name of \(name) is not by that key"
    let verified = try await publish(
      "verify",
      "m.json",
      "--key",
      "keys/other.pub",
      "--key",
      "keys/release.pub"
    )
    #expect(verified.exitCode == 0, "\(verified.errors)")
    let signed = try await publish("sign", "m.json", "--key", "keys/release.key")
    #expect(signed.exitCode == 0, "\(signed.errors)")
    #expect(signed.errors.contains(words), "\(signed.errors)")
    #expect(try manifest().signatures.map(\.keyID) == [name])
    let key = try PublicKey(file: TemporaryFolder.path("keys/release.pub"))
    #expect(try manifest().signers(among: [key]) == [key])
  }

  @Test func `a forged signature beside a good one is warned about, and does not count`()
    async throws
  {
    try await buildSignedManifest()
    let text = String(decoding: try contents("m.json"), as: UTF8.self)
    let good = try #require(try manifest().signatures.first)
    let forged = Base64.encode(Array(good.bytes.reversed()))
    let entry = #"{"keyid": "\#(good.keyID)", "sig": "\#(forged)"},"#
    try place(
      Array(text.replacing("\"signatures\": [", with: "\"signatures\": [" + entry).utf8),
      at: "m.json"
    )
    try #require(try manifest().signatures.count == 2)
    let verified = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(verified.exitCode == 0, "\(verified.errors)")
    #expect(
      verified.errors.contains(
        "warning: a signature under the name of \(good.keyID) is not by that key, or not of this manifest\n"
      )
    )
    #expect(verified.output.contains("1 of 1 key signed, 1 needed\n"))
  }

  @Test(arguments: [
    ("sign m.json --key none.key", 3, "--key: there is no none.key"),
    ("sign m.json --key keys", 8, "is a folder"),
    ("sign m.json --key keys/release.pub", 2, "--key keys/release.pub: expected a PEM block"),
    ("verify m.json --key none.pub", 3, "--key: there is no none.pub"),
    ("verify m.json --key model.gguf", 2, "--key model.gguf: the text is no key in a known form"),
    ("mirror check m.json --ca-bundle none.pem", 3, "--ca-bundle: there is no none.pem"),
    (
      "mirror check m.json --ca-bundle m.json", 8,
      "--ca-bundle: m.json has no certificate in PEM form"
    ),
    ("export m.json --format sha256sums --output /proc/", 8, "/proc/SHA256SUMS cannot be made"),
    ("export m.json --format sha256sums --output /proc/self/x/", 8, "/proc/self/x cannot be made"),
  ])
  func `an error names the option and the file, each once, and no temporary name`(
    command: String,
    code: Int,
    words: String
  ) async throws {
    try await buildSignedManifest()
    let outcome = try await publish(command.split(separator: " ").map(String.init))
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    let line = try #require(
      outcome.errors.split(separator: "\n").first { $0.hasPrefix("error: ") }
    )
    #expect(line.contains(words), "\(line)")
    #expect(outcome.errors.contains("\n  help: "), "\(outcome.errors)")
    #expect(line.firstMatch(of: /\.[0-9a-f]{32}/) == nil)
  }

  @Test func `a Metalink that needs no files says that it read none`() async throws {
    try await buildSignedManifest()
    let outcome = try await publish(
      "export",
      "m.json",
      "--format",
      "metalink",
      "--files",
      "keys",
      "--output",
      "out/"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("every file has pieces in the manifest: keys is not read\n"))
  }

  @Test(arguments: [[], ["--json"]])
  func `a token in the URL of a mirror is warned about by its name, and strict builds refuse it`(
    options: [String]
  ) async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    let build =
      [
        "build", "model.gguf", "--model", "acme/tiny", "--version", "1.0.0", "--output", "m.json",
        "--mirror", "https://example.com/{name}?token=geheim",
      ] + options
    let strict = try await publish(build + ["--strict"])
    #expect(strict.exitCode == 2, "\(strict.errors)")
    #expect(!isThere("m.json"))
    let outcome = try await publish(build)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    for told in [strict, outcome] {
      #expect(told.errors.contains("  note: the parameter token has a value\n"), "\(told.errors)")
      #expect(!(told.errors + told.output).contains("geheim"))
    }
  }
}
