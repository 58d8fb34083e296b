import Foundation
import TestSupport
import Testing

/// Exports that an ssh-agent or a program signs.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherExportSignerTests {
  private func verifyWithMinisign() async throws -> Int? {
    var tool = try #require(Tool.installed("minisign"), "needs minisign")
    tool.folder = TemporaryFolder.path("out")
    return try await tool.run(["-V", "-p", "minisign.pub", "-m", "SHA256SUMS"]).exitCode
  }

  @Test func `a program signs as a key file does, byte for byte`() async throws {
    try await buildSignedManifest()
    try await makeKey("export")
    var openssl = try #require(Tool.installed("openssl"))
    openssl.folder = TemporaryFolder.current
    let formats = ["minisign", "signify", "ssh", "openssl"].flatMap { ["--format", $0] }
    let signer = "\(openssl.path) pkeyutl -sign -inkey keys/export.key -rawin -in /dev/stdin"
    let byProgram = try await publish(
      ["export", "m.json", "--output", "out", "--signer", signer, "--pub", "keys/export.pub"]
        + formats
    )
    #expect(byProgram.exitCode == 0, "\(byProgram.errors)")
    #expect(try await verifyWithMinisign() == 0)
    let byKey = try await publish(
      ["export", "m.json", "--output", "two", "--key", "keys/export.key"] + formats
    )
    #expect(byKey.exitCode == 0, "\(byKey.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path("out"))
    #expect(names.count == 9)
    for name in names { #expect(try contents("out/\(name)") == contents("two/\(name)"), "\(name)") }
  }

  @Test func `a program that signs with another key exports nothing`() async throws {
    try await buildSignedManifest()
    try await makeKey("export")
    try await makeKey("other")
    let openssl = try #require(Tool.installed("openssl")).path
    let outcome = try await publish(
      "export",
      "m.json",
      "--format",
      "openssl",
      "--output",
      "out",
      "--signer",
      "\(openssl) pkeyutl -sign -inkey keys/other.key -rawin -in /dev/stdin",
      "--pub",
      "keys/export.pub"
    )
    #expect(outcome.exitCode == 6)
    #expect(!isThere("out"))
  }

  @Test(arguments: [
    ["--format", "ssh", "--key", "a", "--signer", "x", "--pub", "keys/export.pub"],
    ["--format", "ssh", "--signer", "x"], ["--format", "metalink", "--pub", "keys/export.pub"],
  ])
  func `one signer is named where one is needed`(options: [String]) async throws {
    try await buildSignedManifest()
    let outcome = try await publish(["export", "m.json", "--output", "out"] + options)
    #expect(outcome.exitCode == 2)
    #expect(!isThere("out"))
  }
}
