import Digests
import Foundation
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct PublisherBuildTests {
  private let common = ["--model", "acme/tiny", "--version", "1.0.0"]
  private let mirror = ["--mirror", "https://example.com/{sha256}"]

  @Test func `build writes the manifest in its place and prints the path`() async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    let outcome = try await publish(
      ["build", "model.gguf"] + common + mirror + ["--runtime", "llama.cpp:b5873"]
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "manifests/acme+tiny/1.0.0.json\n")
    #expect(
      outcome.errors.hasSuffix(
        """
        model:    acme/tiny
        version:  1.0.0
        files:    1 file, 160 bytes
        expires:  never
        next: sealift-publish sign manifests/acme+tiny/1.0.0.json --key FILE

        """
      ),
      "\(outcome.errors)"
    )
    let envelope = try Envelope(parsing: try contents("manifests/acme+tiny/1.0.0.json"))
    let release = try envelope.release()
    #expect(envelope.signatures.isEmpty)
    #expect(release.files.map(\.path.text) == ["model.gguf"])
    #expect(release.runtimes.map(\.minimum) == ["b5873"])
  }

  @Test func `files that need several runtimes say so, and --any-runtime makes one enough`()
    async throws
  {
    try place(SampleModel.gguf(), at: "a.gguf")
    try place(SampleModel.onnx(), at: "b.onnx")
    let build = ["build", "a.gguf", "b.onnx", "--output", "m.json"] + common + mirror
    let outcome = try await publish(build)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("so a client must have 2"), "\(outcome.errors)")
    #expect(outcome.errors.contains("b.onnx: onnxruntime ≥ "), "\(outcome.errors)")
    #expect(try manifest().release().files.map(\.runtimes.count) == [1, 1])
    let one = try await publish(build + ["--any-runtime"])
    #expect(!one.errors.contains("must have"), "\(one.errors)")
    #expect(try manifest().release().runtimes.map(\.name.text) == ["llama.cpp", "onnxruntime"])
  }

  @Test func `all that is stated is in the manifest`() async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    let outcome = try await publish(
      ["build", "model.gguf"] + common + mirror
        + [
          "--mirror", "https://other.example/{name}", "--license", "MIT", "--format", "gguf",
          "--released", "2026-11-30T00:00:00Z", "--expires", "2036-11-30T00:00:00Z",
          "--title", "Tiny", "--notes", "for tests", "--output", "m.json",
        ]
    )
    #expect(outcome.exitCode == 0)
    let release = try manifest().release()
    #expect(release.mirrors.count == 2)
    #expect(release.license?.text == "MIT")
    #expect(release.released.text == "2026-11-30T00:00:00Z")
    #expect(release.details.expires?.text == "2036-11-30T00:00:00Z")
    #expect(release.details.title == "Tiny")
    #expect(release.details.notes == "for tests")
  }

  @Test func `a licence that is no SPDX expression, and an end that has come, are warned about`()
    async throws
  {
    try place(SampleModel.gguf(), at: "model.gguf")
    let build = ["build", "model.gguf", "--runtime", "llama.cpp:b5873"] + common + mirror
    let odd = try await publish(
      build + ["--license", "Apache 2.0", "--expires", "2020-01-01T00:00:00Z"]
    )
    #expect(odd.exitCode == 0)
    #expect(
      odd.errors.contains("warning: \"Apache 2.0\" is not an SPDX licence expression\n  help: "),
      "\(odd.errors)"
    )
    #expect(
      odd.errors.contains("warning: the release expired at 2020-01-01T00:00:00Z: nobody installs"),
      "\(odd.errors)"
    )
    let plain = try await publish(
      build + [
        "--license", "Apache-2.0", "--expires", "2999-01-01T00:00:00Z", "--output", "b.json",
      ]
    )
    #expect(!plain.errors.contains("warning: "), "\(plain.errors)")
  }

  @Test func `the same warning about many files is folded, and JSON has each`() async throws {
    for index in 1...6 { try place(SampleModel.gguf(), at: "release/\(index).gguf") }
    let mirrors = (1...6).flatMap { ["--mirror", "http://\($0).example.com/{name}"] }
    let build =
      ["build", "release", "--runtime", "llama.cpp:b5873", "--output", "m.json"] + common + mirrors
    let folded = try await publish(build)
    let warnings = folded.errors.split(separator: "\n").filter { $0.contains("is not encrypted") }
    #expect(warnings.count == 3, "\(folded.errors)")
    #expect(folded.errors.contains("  note: and 3 more like this; --verbose shows all\n"))
    let events = try await publish(build + ["--json"]).output.split(separator: "\n")
    #expect(events.count { $0.contains("\"kind\":\"plainHTTP\"") } == 6)
  }

  @Test func `the same input and options give the same bytes`() async throws {
    try place(SampleModel.gguf(), at: "release/model.gguf")
    try place(Array("a model".utf8), at: "release/README.md")
    for name in ["one.json", "two.json"] {
      let outcome = try await publish(
        ["build", "release", "--output", name] + common + mirror,
        environment: ["SOURCE_DATE_EPOCH": "1796000000"]
      )
      #expect(outcome.exitCode == 0)
    }
    #expect(try contents("one.json") == contents("two.json"))
    let release = try Envelope(parsing: try contents("one.json")).release()
    #expect(release.released.seconds == 1_796_000_000)
    let wrong = try await publish(
      ["build", "release", "--output", "x.json"] + common,
      environment: ["SOURCE_DATE_EPOCH": "yesterday"]
    )
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("SOURCE_DATE_EPOCH is \"yesterday\""))
  }

  @Test func `a declared file needs no path`() async throws {
    let digest = SHA256Digest(of: []).hex
    let outcome = try await publish(
      ["build", "--declare", "big.gguf:1563668704:\(digest)", "--format", "gguf"] + common + mirror
        + ["--output", "m.json"]
    )
    #expect(outcome.exitCode == 0)
    let file = try #require(try manifest().release().files.first)
    #expect(file.size == 1_563_668_704)
    #expect(file.chunks == nil)
    #expect(file.basis == .declared)
    #expect(file.format.basis == .declared)
  }

  @Test func `mirrors that may disappoint are warned about`() async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    let outcome = try await publish(
      ["build", "model.gguf", "--mirror", "http://example.com/resolve/main/{name}"] + common
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errors.contains("warning: the mirror http://example.com/resolve/main/{name} is not")
    )
    #expect(outcome.errors.contains("moves: resolve/main names no fixed state\n"))
    let none = try await publish(["build", "model.gguf", "--output", "m.json"] + common)
    #expect(none.errors.contains("warning: the release names no mirror"))
  }

  @Test(arguments: [
    ("page.gguf", SampleModel.htmlPage, "is an HTML page, not a model file"),
    ("empty.gguf", [], "is empty"),
    ("zeros.gguf", [UInt8](repeating: 0, count: 5000), "starts with zeros only"),
    (
      "pointer.gguf", SampleModel.lfsPointer(sha256: SHA256Digest.ofNothing.hex, size: 77),
      "is a Git LFS pointer, not the file itself"
    ),
    ("other.gguf", SampleModel.safetensors(), "is not gguf"),
  ])
  func `content that is no model ends with 9, by name`(
    name: String,
    bytes: [UInt8],
    message: String
  ) async throws {
    try place(bytes, at: "release/\(name)")
    let outcome = try await publish(["build", "release", "--output", "m.json"] + common + mirror)
    #expect(outcome.exitCode == 9)
    #expect(outcome.errors.contains("error: \(name) \(message)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("  help: "))
    #expect(outcome.output.isEmpty)
    #expect(!isThere("m.json"))
  }

  @Test func `names and kinds that no release has end with 2, all of them at once`() async throws {
    try place(SampleModel.gguf(), at: "release/model.gguf")
    try place([1], at: "release/.git/HEAD")
    try place([1], at: "release/aux.bin")
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("release/link.gguf"),
      withDestinationPath: "model.gguf"
    )
    let outcome = try await publish(["build", "release", "--output", "m.json"] + common + mirror)
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.errors == """
        error: 3 entries cannot be in a release
          note: release/.git is hidden: its name starts with a dot
          note: release/aux.bin has a name that no release may have: aux is a device name on Windows
          note: release/link.gguf is a symbolic link
          help: hidden files cannot be in a release: leave them out with --exclude PATTERN, or name the files one by one
          help: rename it; names have ASCII letters, digits and ._+@=,()[] - only, and no space or dot at the end
          help: put a copy in its place, as cp -L makes one

        """
    )
  }

  @Test(arguments: [
    (["build", "absent.gguf"], 3, "error: there is no absent.gguf\n"),
    (["build"], 2, "error: PATH is missing\n"),
    (["build", "model.gguf", "release"], 2, "error: release is a folder among other paths\n"),
    (["build", "model.gguf", "--model", "X"], 2, "error: --model: model \"X\": "),
    (["build", "model.gguf", "--mirror", "ftp://x/{name}"], 2, "error: --mirror: mirror "),
    (
      ["build", "model.gguf", "--runtime", "llama.cpp"], 2,
      "error: --runtime: \"llama.cpp\" does not"
    ),
    (
      ["build", "model.gguf", "--declare", "x"], 2,
      "error: --declare: \"x\" is not NAME:SIZE:SHA256\n"
    ),
    (
      ["build", "model.gguf", "--released", "today"], 2, "error: --released: timestamp \"today\": "
    ),
    (["build", "model.gguf", "--ssh-agent", "x"], 2, "error: unknown option --ssh-agent\n"),
    (
      ["build", "release", "model.gguf", "--mirror", "https://example.com/one"], 2,
      "error: release is a folder among other paths\n"
    ),
    (
      ["build", "model.gguf", "release/b.gguf", "--mirror", "https://example.com/one"], 2,
      "error: the mirror https://example.com/one gives 2 files the same URL\n"
    ),
    (
      ["build", "release", "--output", "release/m.json"], 2,
      "error: the manifest release/m.json would lie in release, the folder that it seals\n"
    ),
    (
      ["build", "model.gguf", "--output", "model.gguf"], 2,
      "error: model.gguf is no manifest, and is not overwritten\n"
    ),
  ])
  func `a build that makes no sense is refused`(
    arguments: [String],
    code: Int,
    message: String
  ) async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    try place(SampleModel.gguf(), at: "release/b.gguf")
    var arguments = arguments
    if !arguments.contains("--model") { arguments += ["--model", "tiny"] }
    let outcome = try await publish(arguments + ["--version", "1.0.0"])
    #expect(outcome.exitCode == code)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(try contents("model.gguf") == SampleModel.gguf())
  }

  @Test func `a signed manifest stays for the same release, and is not lost to another`()
    async throws
  {
    let fixed = ["--released", "2026-11-30T00:00:00Z"]
    try await buildSignedManifest("--released", "2026-11-30T00:00:00Z")
    let before = try contents("m.json")
    let arguments = ["build", "model.gguf", "--output", "m.json"] + common + mirror
    let same = try await publish(arguments + fixed)
    #expect(same.exitCode == 0)
    #expect(same.errors.contains("m.json holds this release already, with 1 signature, and"))
    let other = try await publish(arguments + ["--released", "2026-12-01T00:00:00Z"])
    #expect(other.exitCode == 2)
    #expect(other.errors.contains("error: m.json holds another release, which is signed\n"))
    #expect(try contents("m.json") == before)
  }

  @Test func `JSON output ends with the facts`() async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    let outcome = try await publish(
      ["build", "model.gguf", "--json", "--output", "m.json"] + common + mirror
    )
    let summary = try outcome.summary()
    #expect(summary["exit"] == 0)
    #expect(summary["path"] == "m.json")
    #expect(summary["outcome"] == "written")
    #expect(summary["files"] == 1)
    #expect(summary["size"] == 160)
    #expect(summary["manifestSha256"] == .string(try manifest().payloadDigest.hex))
  }

  @Test func `an interrupted build leaves nothing and ends with 130`() async throws {
    try place(SampleBytes().prefix(8192), at: "model.bin")
    // A hole takes no space, and long enough to read.
    try Folder(path: TemporaryFolder.current).openFileForWriting("model.bin").setSize(64 << 30)
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let running = try tool.start(
      ["build", "model.bin", "--output", "m.json", "--json"] + common + mirror
    )
    #expect(await running.waitForOutput { $0.contains("\"event\":\"progress\"") })
    running.interrupt()
    let outcome = await running.wait()
    #expect(outcome.exitCode == 130)
    #expect(!isThere("m.json"))
  }

  @Test func `a folder that cannot be written to ends with 8`() async throws {
    try place(SampleModel.gguf(), at: "model.gguf")
    try place([1], at: "file")
    let outcome = try await publish(
      ["build", "model.gguf", "--output", "/proc/nowhere/m.json"] + common + mirror
    )
    #expect(outcome.exitCode == 8 || outcome.exitCode == 3)
    #expect(outcome.errors.contains("error: "))
  }
}
