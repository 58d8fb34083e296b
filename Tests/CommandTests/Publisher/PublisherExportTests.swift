import Digests
import Foundation
import Manifests
import Publishing
import StrictJSON
import TestSupport
import Testing

/// What is exported, checked by the tools that it is made for.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct PublisherExportTests {
  /// A manifest that `release` signed, and a key for exports.
  private func prepare() async throws {
    try await buildSignedManifest()
    try await makeKey("export")
  }

  private func export(_ options: String...) async throws -> ToolOutcome {
    try await publish(["export", "m.json"] + options)
  }

  /// Runs an installed program in the folder `out`.
  private func run(
    _ program: String,
    _ arguments: [String],
    input: [UInt8] = []
  ) async throws -> ToolOutcome {
    var tool = try #require(Tool.installed(program), "needs \(program)")
    tool.folder = TemporaryFolder.path("out")
    return try await tool.run(arguments, input: input)
  }

  /// Runs the stock verifier of a format; the exit code says whether the list is as it was signed.
  private func verify(_ format: ExportFormat, identity: String = "release") async throws -> Int? {
    let outcome: ToolOutcome
    switch format {
    case .minisign:
      outcome = try await run("minisign", ["-V", "-p", "minisign.pub", "-m", "SHA256SUMS"])
    case .signify:
      outcome = try await run(
        "signify-openbsd",
        ["-V", "-p", "signify.pub", "-m", "SHA256SUMS", "-x", "SHA256SUMS.sig"]
      )
    case .ssh: outcome = try await verifySSH(identity: identity, namespace: "sealift")
    case .openssl:
      outcome = try await run(
        "openssl",
        ["pkeyutl", "-verify", "-pubin", "-inkey", "pub.pem", "-rawin", "-in", "SHA256SUMS"]
          + ["-sigfile", "SHA256SUMS.ed25519"]
      )
    case .sha256sums, .metalink, .cyclonedx: preconditionFailure("not signed")
    }
    return outcome.exitCode
  }

  private func verifySSH(identity: String, namespace: String) async throws -> ToolOutcome {
    try await run(
      "ssh-keygen",
      ["-Y", "verify", "-f", "allowed_signers", "-I", identity, "-n", namespace]
        + ["-s", "SHA256SUMS.sshsig"],
      input: try contents("out/SHA256SUMS")
    )
  }

  /// The files of a signed format, beside the list itself.
  private static let files: [ExportFormat: [String]] = [
    .minisign: ["SHA256SUMS.minisig", "minisign.pub"], .signify: ["SHA256SUMS.sig", "signify.pub"],
    .ssh: ["SHA256SUMS.sshsig", "allowed_signers"], .openssl: ["SHA256SUMS.ed25519", "pub.pem"],
  ]

  @Test(arguments: ExportFormat.allCases.filter(\.isSigned))
  func `the stock tool accepts the signature, and refuses another list`(
    format: ExportFormat
  ) async throws {
    try await prepare()
    let options = ["--format", format.rawValue, "--key", "keys/export.key", "--output", "out"]
    let outcome = try await publish(["export", "m.json"] + options)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let names = ["SHA256SUMS"] + (Self.files[format] ?? [])
    #expect(outcome.output == names.map { "out/\($0)\n" }.joined())
    #expect(try await verify(format) == 0)
    let list = try contents("out/SHA256SUMS")
    try place(list + Array("\n".utf8), at: "out/SHA256SUMS")
    #expect(try await verify(format) == (format == .ssh ? 255 : 1))
    var flipped = list
    flipped[0] = flipped[0] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    try place(flipped, at: "out/SHA256SUMS")
    #expect(try await verify(format) == (format == .ssh ? 255 : 1))
    // Another key's signature of the right list is none of this key.
    try place(list, at: "out/SHA256SUMS")
    try await makeKey("other")
    let other = ["--format", format.rawValue, "--key", "keys/other.key", "--output", "other"]
    #expect(try await publish(["export", "m.json"] + other).exitCode == 0)
    let signature = try #require(names.dropFirst().first)
    try place(try contents("other/\(signature)"), at: "out/\(signature)")
    #expect(try await verify(format) == (format == .ssh ? 255 : 1))
  }

  @Test func `minisign shows what the trusted comment says, and no other comment passes`()
    async throws
  {
    try await prepare()
    _ = try await export("--format", "minisign", "--key", "keys/export.key", "--output", "out")
    let outcome = try await run("minisign", ["-V", "-p", "minisign.pub", "-m", "SHA256SUMS"])
    let digest = try manifest().payloadDigest
    #expect(
      outcome.output.contains("Trusted comment: acme/tiny 1.0.0 manifest sha256:\(digest)\n")
    )
    let text = String(decoding: try contents("out/SHA256SUMS.minisig"), as: UTF8.self)
    try place(Array(text.replacing("1.0.0", with: "2.0.0").utf8), at: "out/SHA256SUMS.minisig")
    #expect(try await verify(.minisign) == 1)
  }

  @Test func `ssh signatures hold for their namespace and signer only`() async throws {
    try await prepare()
    let outcome = try await export(
      "--format",
      "ssh",
      "--key",
      "keys/export.key",
      "--output",
      "out",
      "--identity",
      "release@acme.example"
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try await verify(.ssh, identity: "release@acme.example") == 0)
    #expect(try await verify(.ssh, identity: "somebody@acme.example") == 255)
    let git = try await verifySSH(identity: "release@acme.example", namespace: "git")
    #expect(git.exitCode == 255)
  }

  @Test func `sha256sum checks the files, and finds a wrong one`() async throws {
    try await prepare()
    let outcome = try await export("--format", "sha256sums")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == "SHA256SUMS\n")
    var tool = try #require(Tool.installed("sha256sum"))
    tool.folder = TemporaryFolder.current
    #expect(try await tool.run(["-c", "--strict", "SHA256SUMS"]).exitCode == 0)
    let theirs = try await tool.run(["model.gguf"]).standardOutput
    #expect(try contents("SHA256SUMS") == theirs)
    try place(try contents("model.gguf") + [0], at: "model.gguf")
    #expect(try await tool.run(["-c", "--strict", "SHA256SUMS"]).exitCode == 1)
  }

  @Test func `all formats at once say the same as one by one, and the same again`() async throws {
    try await prepare()
    let key = ["--key", "keys/export.key"]
    let all = ExportFormat.allCases.flatMap { ["--format", $0.rawValue] }
    let first = try await publish(["export", "m.json", "--output", "all"] + key + all)
    #expect(first.exitCode == 0, "\(first.errors)")
    for format in ExportFormat.allCases {
      let options =
        ["--output", "one/", "--format", format.rawValue] + (format.isSigned ? key : [])
      let outcome = try await publish(["export", "m.json"] + options)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path("all"))
    #expect(names.count == 11)
    for name in names { #expect(try contents("all/\(name)") == contents("one/\(name)"), "\(name)") }
    let again = try await publish(["export", "m.json", "--output", "all", "--json"] + key + all)
    #expect(again.exitCode == 0)
    let outcomes = try again.events().filter { $0["event"] == "file" }.map { $0["outcome"] }
    #expect(outcomes == Array(repeating: "alreadyThere", count: 11))
  }

  @Test func `other contents are replaced only with force, and then nothing is half done`()
    async throws
  {
    try await prepare()
    try place(Array("precious".utf8), at: "out/minisign.pub")
    let options = ["--format", "minisign", "--key", "keys/export.key", "--output", "out"]
    let refused = try await publish(["export", "m.json"] + options)
    #expect(refused.exitCode == 2)
    #expect(
      refused.errors.contains(
        "error: out/minisign.pub exists with other contents; nothing was written\n"
      )
    )
    #expect(try contents("out/minisign.pub") == Array("precious".utf8))
    #expect(!isThere("out/SHA256SUMS"))
    #expect(try await publish(["export", "m.json", "--force"] + options).exitCode == 0)
    #expect(try await verify(.minisign) == 0)
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("out/SHA256SUMS"))
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("out/SHA256SUMS"),
      withDestinationPath: "../m.json"
    )
    #expect(try await publish(["export", "m.json", "--force"] + options).exitCode == 2)
    #expect(try manifest().signatures.count == 1)
  }

  @Test func `what a killed run left of a file goes when it is written again`() async throws {
    try await prepare()
    let left = "out/SHA256SUMS.0123456789abcdef0123456789abcdef"
    let own = "out/SHA256SUMS.of-the-third-of-november-at-noon"
    for path in [left, own] { try place(Array("half".utf8), at: path) }
    let outcome = try await export("--format", "sha256sums", "--output", "out/")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(!isThere(left))
    #expect(isThere(own))
  }

  @Test func `one file can have a name of its own`() async throws {
    try await prepare()
    let outcome = try await export("--format", "cyclonedx", "--output", "deep/bom.json")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == "deep/bom.json\n")
    #expect(isThere("deep/bom.json"))
    _ = try await export("--format", "cyclonedx", "--output", "deep/")
    #expect(isThere("deep/acme+tiny-1.0.0.cdx.json"))
  }

  @Test func `who signed is told, and a key that signed the manifest is warned about`() async throws
  {
    try await prepare()
    let options = ["--format", "ssh", "--output", "out"]
    let own = try await publish(["export", "m.json", "--key", "keys/export.key"] + options)
    let signer = try #require(try manifest().signatures.first).keyID
    #expect(own.errors.contains("signers:  \(signer) (claimed)\n"))
    #expect(!own.errors.contains("warning:"))
    let shared = try await publish(
      ["export", "m.json", "--key", "keys/release.key", "--force"] + options
    )
    #expect(shared.exitCode == 0)
    #expect(
      shared.errors.contains("warning: the key of this export has signed the manifest, too\n")
    )
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("m.json"))
    try await buildManifest()
    let unsigned = try await export("--format", "sha256sums", "--output", "two/")
    #expect(unsigned.exitCode == 0)
    #expect(unsigned.errors.contains("warning: nobody has signed the manifest\n"))
  }

  @Test(arguments: [
    ["--format", "minisign"], ["--format", "zip"], [], ["--format", "ssh", "--key"],
    ["--format", "metalink", "--key", "keys/export.key"],
    ["--format", "cyclonedx", "--format", "cyclonedx"],
    ["--format", "ssh", "--key", "keys/export.key", "--identity", "two words"],
    ["--format", "ssh", "--key", "keys/export.key", "--identity", "*"],
    ["--format", "minisign", "--key", "keys/export.key", "--identity", "me"],
    ["--format", "cyclonedx", "--mirror", "https://example.com/{name}"],
    ["--format", "sha256sums", "--files", "."],
  ])
  func `options that cannot be meant are refused, and nothing is written`(
    options: [String]
  ) async throws {
    try await prepare()
    let outcome = try await publish(["export", "m.json", "--output", "out"] + options)
    #expect(outcome.exitCode == 2)
    #expect(!isThere("out"))
  }

  @Test func `what is no manifest is not exported`() async throws {
    try await makeKey("export")
    for (text, code) in [
      ("{}", 6),
      (#"{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[]}"#, 9),
    ] {
      try place(Array(text.utf8), at: "m.json")
      let outcome = try await export(
        "--format",
        "ssh",
        "--key",
        "keys/export.key",
        "--output",
        "out"
      )
      #expect(outcome.exitCode == code)
      #expect(!isThere("out"))
    }
  }
}
