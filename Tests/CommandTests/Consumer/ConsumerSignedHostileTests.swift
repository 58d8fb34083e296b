import Digests
import Foundation
import Manifests
import ReleaseSimulator
import StrictJSON
import TestSupport
import Testing

/// What a trusted key signed is still held to every rule: signed paths, sizes and digests that break one are refused
/// with 9, before a mirror is asked and before the store is touched.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerSignedHostileTests {
  private let release = ConsumerRelease(files: ["weights.bin": .random(100, chunkLength: nil)])

  private var digest: String { SHA256Digest(of: release.files["weights.bin"]?.bytes ?? []).hex }

  /// Installs the release with `text` in its payload replaced, signed by a trusted key.
  private func install(
    _ home: ConsumerHome,
    replacing text: String,
    with other: String
  ) async throws -> ToolOutcome {
    let payload = String(
      decoding: try release.simulated().envelope(signedBy: []).payload,
      as: UTF8.self
    )
    let changed = payload.replacing(text, with: other)
    try #require(changed != payload)
    let signed = try Envelope(payload: Array(changed.utf8)).signed(by: [home.signer])
    let manifest = try home.write(signed.encode(), to: "hostile.json")
    let mirror = try FaultyMirror(files: ["weights.bin": release.files["weights.bin"]?.bytes ?? []])
    let outcome = try await home.run(["install", manifest, "--mirror", "\(mirror.url)/{name}"])
    #expect(mirror.requests.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: home.store))
    return outcome
  }

  private func refuse(_ text: String, _ other: String) async throws {
    let home = try await ConsumerHome.trusting()
    let outcome = try await install(home, replacing: text, with: other)
    #expect(outcome.ending == .exited(9), "\(other): \(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: the manifest is unusable: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("  note: a trusted key signed it\n"), "\(outcome.errors)")
  }

  @Test(arguments: [
    "../evil", "/etc/evil", "a/../../evil", "./weights.bin", "a//b", "", ".", "..", "a\\\\b",
    "C:evil",
    "\\\\\\\\host\\\\evil", "a\\u0000b", "a\\u000ab", "evil.", "evil ", "NUL", "com1.txt", "-evil",
    ".evil",
    "a:b", "é", "\\u202eevil", "manifest.json/../../x",
  ])
  func `a signed path of each bad kind`(path: String) async throws {
    try await refuse("weights.bin", path)
  }

  @Test(arguments: [
    "-1", "9007199254740992", "100.0", "1e2", "0100", "\"100\"", "true", "null", "-0",
    "18446744073709551616",
  ])
  func `a signed size of each bad kind`(size: String) async throws {
    try await refuse("\"size\":100", "\"size\":\(size)")
  }

  @Test(arguments: ["short", "long", "upper", "path", "prefix", "empty"])
  func `a signed digest of each bad kind`(kind: String) async throws {
    let other =
      switch kind {
      case "short": String(digest.dropLast())
      case "long": digest + "0"
      case "upper": digest.uppercased()
      case "path": "../../../../etc/evil"
      case "prefix": String(digest.prefix(12))
      default: ""
      }
    try await refuse(digest, other)
  }

  @Test(arguments: [
    ("\"subject\":[{", "\"subject\":[{\"digest\":{\"sha256\":\"DIGEST\"},\"name\":\"more.bin\"},{"),
    ("\"name\":\"weights.bin\"}]", "\"name\":\"other.bin\"}]"),
    (
      "\"predicateType\":\"urn:sealift:model-release:v1\"",
      "\"predicateType\":\"urn:sealift:model-release:v2\""
    ),
    ("https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v2"),
    ("\"model\":\"acme/tiny\"", "\"model\":\"acme/tiny\",\"model\":\"acme/tiny\""),
    ("\"model\":\"acme/tiny\"", "\"model\":\"acme/tiny\",\"mod\\u0065l\":\"acme/tiny\""),
    ("\"model\":\"acme/tiny\"", "\"model\":\"acme/../tiny\""),
    ("\"version\":\"1.0.0\"", "\"version\":\"../1.0.0\""),
    ("\"model\":\"acme/tiny\"", "\"critical\":[\"allowedSigners\"],\"model\":\"acme/tiny\""),
    ("{\"_type\"", "\u{FEFF}{\"_type\""), ("{\"_type\"", "[{\"_type\""),
    ("\"model\":\"acme/tiny\"", "\"model\":\"acme/tiny\",}"),
  ])
  func `a signed statement that contradicts itself, or is ambiguous`(
    text: String,
    other: String
  ) async throws {
    try await refuse(text, other.replacingOccurrences(of: "DIGEST", with: digest))
  }

  @Test func `a signed payload that is a hundred thousand levels deep`() async throws {
    let home = try await ConsumerHome.trusting()
    let deep = Array(String(repeating: "[", count: 100_000).utf8)
    for payload in [deep, deep + Array(String(repeating: "]", count: 100_000).utf8)] {
      let signed = try Envelope(payload: payload).signed(by: [home.signer])
      let manifest = try home.write(signed.encode(), to: "deep.json")
      #expect(try await home.run(["install", manifest]).ending == .exited(9))
      let bare = try home.write(payload, to: "bare.json")
      #expect(try await home.run(["install", bare]).ending == .exited(6))
    }
  }

  @Test(arguments: [
    ("{\n", "\u{FEFF}{\n"), ("\"payloadType\"", "\"payload\": \"\",\n  \"payloadType\""),
    ("\"payloadType\"", "\"p\\u0061yload\": \"\",\n  \"payloadType\""), ("]\n}", "],\n}"),
    ("]\n}", "]\n}{}"),
    ("\"payloadType\": \"a", "\"payloadType\": \"\\ud800a"),
  ])
  func `an envelope that two parsers read differently`(text: String, other: String) async throws {
    let home = try await ConsumerHome.trusting()
    let good = String(decoding: try release.envelope(signedBy: [home.signer]), as: UTF8.self)
    let bad = good.replacing(text, with: other)
    try #require(bad != good)
    let outcome = try await home.run([
      "install", try home.write(Array(bad.utf8), to: "ambiguous.json"),
    ])
    #expect(outcome.ending == .exited(6), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: not a signed manifest: "), "\(outcome.errors)")
  }

  // Folders against a signed manifest.

  @Test func `whatever a folder has besides is reported: hooks, links, pipes, empty folders`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: [
      "weights.bin": .random(100), "sub/notes.txt": .random(5),
    ])
    _ = try home.fileMirror(release, in: "model")
    let folder = "\(home.folder)/model"
    let manifest = try home.publish(release)
    let verify = ["verify", folder, "--manifest", manifest]
    #expect(try await home.run(verify).ending == .exited(0))
    _ = try home.write([1], to: "secret")
    for path in ["model/.git/hooks", "model/hollow"] {
      try FileManager.default.createDirectory(
        atPath: "\(home.folder)/\(path)",
        withIntermediateDirectories: true
      )
    }
    _ = try home.write([1], to: "model/.git/hooks/post-checkout")
    _ = try home.write([1], to: "model/weights.bin.sig")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link",
      withDestinationPath: "../secret"
    )
    try makePipe(at: "\(folder)/pipe")
    try FileManager.default.removeItem(atPath: "\(folder)/sub/notes.txt")
    _ = try home.write([], to: "model/zero")
    let outcome = try await home.run(verify)
    #expect(outcome.ending == .exited(5))
    #expect(
      Set(outcome.output.split(separator: "\n").map(String.init)) == [
        "sub/notes.txt is missing", "zero is a file that the manifest does not have",
        ".git/hooks/post-checkout is a file that the manifest does not have",
        "hollow is a folder that the manifest does not have",
        "link is a symbolic link that the manifest does not have",
        "pipe is a special file that the manifest does not have",
        "weights.bin.sig is a file that the manifest does not have",
      ],
      "\(outcome.output)"
    )
  }

  @Test func `two files that changed their names are two findings`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: [
      "a.bin": .random(100), "b.bin": .random(100, seed: 2),
    ])
    let swapped = ConsumerRelease(files: [
      "a.bin": .random(100, seed: 2), "b.bin": .random(100),
    ])
    _ = try home.fileMirror(swapped, in: "model")
    let verify = ["verify", "\(home.folder)/model", "--manifest", try home.publish(release)]
    let outcome = try await home.run(verify)
    #expect(outcome.ending == .exited(5))
    #expect(
      outcome.output
        == "a.bin differs in 1 chunk: bytes 0-99\nb.bin differs in 1 chunk: bytes 0-99\n"
    )
  }

  @Test func `what an install leaves verifies, and nothing of its own lies among the files`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let path = try #require(try home.oracle().active()?.path)
    let outcome = try await home.run(["verify", path, "--manifest", "\(home.folder)/1.0.0.json"])
    #expect(outcome.ending == .exited(0), "\(outcome.output)\(outcome.errors)")
  }

  @Test func `programs get each wrong chunk with its place and what was expected`() async throws {
    let home = try await ConsumerHome.trusting()
    let content = ConsumerRelease.Content.random(30_000, chunkLength: 4096)
    let release = ConsumerRelease(files: ["weights.bin": content])
    var wrong = content.bytes
    for index in [0, 5000, 29_999] { wrong[index] ^= 1 }
    let file = try home.write(wrong, to: "weights.bin")
    let json = try await home.run([
      "verify", file, "--manifest", try home.publish(release), "--json",
    ])
    #expect(json.ending == .exited(5))
    let finding = try #require(try json.events().first { $0["event"] == "finding" })
    let table = ChunkTable(of: content.bytes, chunkLength: 4096)
    let expected = [0, 1, 7].map { index in
      let chunk = table.chunks[index]
      return [
        "offset": .integer(Int64(chunk.offset)), "length": .integer(Int64(chunk.length)),
        "expectedSha256": .string(chunk.digest.hex),
      ] as JSONValue
    }
    #expect(finding["chunks"] == .array(expected))
  }
}
