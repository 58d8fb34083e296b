import Foundation
import Signatures
import TestSupport
import Testing

/// What `export --force` may replace, and what not.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherKeptFilesTests {
  private static let trust = #"{"schema":"sealift.trust/1","keys":{},"rules":[]}"#

  @Test(arguments: [
    ("m.json", "a manifest or another signed document"),
    ("copy.json", "a manifest or another signed document"),
    ("keys/release.key", "a private key"), ("keys/release.pub", "a public key"),
    ("id.pub", "a public key"), ("trust.json", "a document of sealift, such as a trust policy"),
    ("raw", "a file of the length of a key"),
  ])
  func
    `neither force nor its absence lets an export take the place of a manifest, a key or a policy`(
      name: String,
      words: String
    ) async throws
  {
    try await buildSignedManifest()
    try place(try contents("m.json"), at: "copy.json")
    try place(Array("ssh-ed25519 AAAA me\n".utf8), at: "id.pub")
    try place(Array(Self.trust.utf8), at: "trust.json")
    try place(Array(repeating: 7, count: 32), at: "raw")
    let before = try contents(name)
    for format in ["sha256sums", "cyclonedx", "metalink"] {
      for force in [[], ["--force"]] {
        let outcome = try await publish(
          ["export", "m.json", "--format", format, "--output", name] + force
        )
        #expect(outcome.exitCode == 2)
        #expect(
          outcome.errors.contains(
            """
            error: \(name) is \(words), which no export replaces; nothing was written
              help: choose another place with --output, or move that file away

            """
          ),
          "\(outcome.errors)"
        )
        #expect(try contents(name) == before)
      }
    }
  }

  @Test func `a key in the place of a signature stays, and nothing else is written`() async throws {
    try await buildSignedManifest()
    try await makeKey("export")
    try place(try contents("keys/export.key"), at: "out/SHA256SUMS.minisig")
    let outcome = try await publish(
      "export",
      "m.json",
      "--format",
      "minisign",
      "--key",
      "keys/export.key",
      "--output",
      "out",
      "--force"
    )
    #expect(outcome.exitCode == 2, "\(outcome.errors)")
    #expect(try contents("out/SHA256SUMS.minisig") == contents("keys/export.key"))
    #expect(!isThere("out/SHA256SUMS"))
  }

  @Test func `what an earlier export wrote by another key is replaced, public keys too`()
    async throws
  {
    try await buildSignedManifest()
    let formats = ["minisign", "signify", "ssh", "openssl"].flatMap { ["--format", $0] }
    for name in ["one", "two"] {
      try await makeKey(name)
      let options = ["--key", "keys/\(name).key", "--output", "out"] + formats
      if name == "two" {
        #expect(try await publish(["export", "m.json"] + options).exitCode == 2)
      }
      let outcome = try await publish(["export", "m.json", "--force"] + options)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }
    #expect(
      try PublicKey(file: TemporaryFolder.path("out/pub.pem"))
        == PublicKey(file: TemporaryFolder.path("keys/two.pub"))
    )
  }
}
