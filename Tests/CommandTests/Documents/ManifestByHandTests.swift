import Digests
import Foundation
import Manifests
import TestSupport
import Testing

/// What README.md tells an auditor to do without our tools, done as it stands there.
@Suite(
  .temporaryFolder,
  .enabled(if: Tool.installed("jq") != nil, "needs jq"),
  .enabled(if: Tool.installed("openssl") != nil, "needs openssl")
)
struct ManifestByHandTests {
  /// Runs the commands of README.md with other paths in the line that names them.
  private func verifyByHand(
    _ manifest: String,
    key: String,
    files: String?
  ) async throws -> ToolOutcome {
    let readme = try String(contentsOf: Repository.path("README.md"), encoding: .utf8)
    let block = try #require(readme.firstMatch(of: /<!-- by hand.*-->\n```sh\n((?:.*\n)*?)```/)).1
    var lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[1].hasPrefix("manifest="))
    lines[1] = "manifest='\(manifest)' key='\(key)' files='\(files ?? "")'"
    if files == nil {
      lines.removeSubrange(try #require(lines.firstIndex(of: "# the files"))...)
      lines.append(")")
    }
    var bash = try #require(Tool.installed("bash"))
    bash.folder = TemporaryFolder.current
    bash.environment["TMPDIR"] = TemporaryFolder.current
    return try await bash.run(["-c", lines.joined(separator: "\n")])
  }

  @Test func `the commands of README verify what was signed here`() async throws {
    try await buildSignedManifest()
    let outcome = try await verifyByHand("m.json", key: "keys/release.pub", files: ".")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Signature Verified Successfully"))
    #expect(outcome.output.contains(try manifest().payloadDigest.hex))
  }

  @Test func `they refuse another payload`() async throws {
    try await buildSignedManifest()
    var text = String(decoding: try contents("m.json"), as: UTF8.self)
    // The first digit of the payload is that of "{"; the next ones change a name in it.
    let payload = try #require(text.firstRange(of: "\"payload\": \"")).upperBound
    let digit = text.index(payload, offsetBy: 10)
    text.replaceSubrange(digit...digit, with: text[digit] == "A" ? "B" : "A")
    try place(Array(text.utf8), at: "m.json")
    let outcome = try await verifyByHand("m.json", key: "keys/release.pub", files: nil)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("Signature Verification Failure"))
  }

  @Test(arguments: try Repository.manifests())
  func `every manifest of this repository is signed by the demo key`(name: String) async throws {
    let key = Repository.path("keys/demo.pub").path
    let path = Repository.path(name).path
    let byHand = try await verifyByHand(path, key: key, files: nil)
    #expect(byHand.exitCode == 0, "\(byHand.errors)")
    let outcome = try await publish("verify", path, "--key", key)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("accepted \(release(of: name)):"), "\(outcome.output)")
  }

  /// The model and version that a manifest's place promises.
  private func release(of name: String) -> String {
    let parts = name.split(separator: "/")
    return parts.dropFirst().joined(separator: " ").replacing(".json", with: "")
      .replacing("+", with: "/")
  }

  @Test func `no private key is in this repository`() throws {
    for name in try FileManager.default.contentsOfDirectory(
      atPath: Repository.path("keys").path
    ) {
      #expect(name == "README.md" || name.hasSuffix(".pub"), "keys/\(name)")
      let text = try String(contentsOf: Repository.path("keys/\(name)"), encoding: .utf8)
      #expect(!text.contains("PRIVATE KEY-----"), "keys/\(name)")
    }
  }
}

/// The files of this repository, found from the place of this one.
enum Repository {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ name: String) -> URL { root.appending(path: name) }

  /// The paths of all manifests, such as `manifests/acme+tiny/1.0.0.json`; there is at least one.
  static func manifests() throws -> [String] {
    let folder = "manifests"
    let names = try FileManager.default.subpathsOfDirectory(atPath: path(folder).path)
      .filter { $0.hasSuffix(".json") }.sorted()
    return try #require(names.isEmpty ? nil : names).map { "\(folder)/\($0)" }
  }
}
