import Digests
import Manifests
import Publishing
import TestSupport
import Testing

private let digits = String(repeating: "ab", count: 32)

@Suite(.temporaryFolder)
struct StatedFactsTests {
  @Test func `a declared file has no chunks, and says that it was declared`() throws {
    let draft = try ReleaseDraft.sample(declared: ["LFM2-2.6B-Q4_K_M.gguf:1563668704:\(digits)"])
    let release = try ReleaseBuilder(draft, SourceListing()).build { _ in true }.release
    let file = try #require(release.files.first)
    #expect(file.size == 1_563_668_704)
    #expect(file.sha256 == SHA256Digest(hex: digits))
    #expect(file.chunks == nil)
    #expect(file.basis == .declared)
    #expect(file.role == .weights)
    #expect(file.format == FormatFacts(name: FormatName(known: "gguf"), basis: .declared))
  }

  @Test func `a declared file stands beside measured ones, under another name`() throws {
    try write(SampleModel.gguf(), to: "a.gguf")
    let draft = try ReleaseDraft.sample(declared: ["b.gguf:10:\(digits)"])
    let release = try ReleaseBuilder.build(["a.gguf"], draft).release
    #expect(release.files.map(\.basis) == [.measured, .declared])
    let twice = try ReleaseDraft.sample(declared: ["A.gguf:10:\(digits)"])
    #expect(throws: ManifestError.release(.pathsCollide("a.gguf", "A.gguf"))) {
      try ReleaseBuilder.build(["a.gguf"], twice)
    }
  }

  @Test(arguments: [
    "a.gguf", "a.gguf:1", "a.gguf:0:\(digits)", "a.gguf:1:ab", "a.gguf:-1:\(digits)",
    "a.gguf:+1:\(digits)",
    "a.gguf:1.5:\(digits)", "a.gguf:9007199254740992:\(digits)", "a.gguf::\(digits)",
    "a.gguf:1:\(digits):", "a.gguf:1:\(digits.uppercased())",
  ])
  func `another form of declaration is refused`(text: String) {
    #expect(throws: PublishingError.badDeclaration(text)) { try DeclaredFile(text) }
  }

  @Test func `a stated format stands for content that tells nothing`() throws {
    try write([9, 8, 7, 6], to: "model.rknn")
    let release = try ReleaseBuilder.build(["model.rknn"], .sample(format: "rknn")).release
    #expect(
      release.files.first?.format
        == FormatFacts(name: FormatName(known: "rknn"), basis: .declared)
    )
  }

  @Test(arguments: [("onnx", "gguf"), ("tensorrt", "gguf")])
  func `a stated format that the content contradicts is refused`(
    stated: String,
    found: String
  ) throws {
    let path = try write(SampleModel.gguf(), to: "model.bin")
    let reason = UnfitFile.Reason.format(
      stated: try FormatName(stated),
      found: try FormatName(found)
    )
    #expect(throws: PublishingError.unfit([UnfitFile(path: path, reason: reason)])) {
      try ReleaseBuilder.build(["model.bin"], .sample(format: stated))
    }
  }

  @Test func `a format that bytes can show is not taken on trust`() throws {
    let path = try write([9, 8, 7, 6], to: "model.bin")
    let reason = UnfitFile.Reason.format(stated: FormatName(known: "gguf"), found: .other)
    #expect(throws: PublishingError.unfit([UnfitFile(path: path, reason: reason)])) {
      try ReleaseBuilder.build(["model.bin"], .sample(format: "gguf"))
    }
  }

  @Test func `a stated format is that of the weights, not of the files beside them`() throws {
    try write(SampleModel.gguf(), to: "release/model.gguf")
    try write(Array("a model".utf8), to: "release/README.md")
    let release = try ReleaseBuilder.build(["release"], .sample(format: "gguf")).release
    #expect(release.files.map(\.format.name.text) == ["other", "gguf"])
  }

  @Test(arguments: [
    ("llama.cpp:b5873", RuntimeScheme.build, "b5873"),
    ("llama.cpp:5873", .build, "5873"),
    ("llama.cpp:0.2.0", .semver, "0.2.0"),
    ("ollama:b10", .build, "b10"),
    ("onnxruntime:1.18.0", .semver, "1.18.0"),
    ("onnxruntime:1.18", .dotted, "1.18"),
    ("openvino:2026.4.1.1", .dotted, "2026.4.1.1"),
    ("coreml:17.4.1", .dotted, "17.4.1"),
    ("tensorrt:exact:10.3.0", .exact, "10.3.0"),
    ("onnxruntime:semver:1.18", .semver, "1.18"),
  ])
  func `a runtime's scheme follows from its name and version unless it is said`(
    text: String,
    scheme: RuntimeScheme,
    minimum: String
  ) throws {
    let requirement = try RuntimeRequirement(stated: text)
    #expect(requirement.scheme == scheme)
    #expect(requirement.minimum == minimum)
    #expect(requirement.because == ["stated by the publisher"])
  }

  @Test(arguments: [
    "llama.cpp", "llama.cpp:", "llama.cpp:new", "llama.cpp:b", "onnxruntime:1.18rc1",
  ])
  func `a runtime whose version says nothing is refused`(text: String) {
    #expect(throws: PublishingError.badRuntime(text)) { try RuntimeRequirement(stated: text) }
  }

  @Test func `the time is as stated, else the source date, else now`() throws {
    let now = try Timestamp("2026-12-01T00:00:00Z")
    let stated = try Timestamp("2026-11-30T00:00:00Z")
    #expect(try Timestamp(ofRelease: stated, sourceDate: "0", now: now) == stated)
    let epoch = try Timestamp(ofRelease: nil, sourceDate: "86400", now: now)
    #expect(epoch.text == "1970-01-02T00:00:00Z")
    #expect(try Timestamp(ofRelease: nil, sourceDate: nil, now: now) == now)
    #expect(try Timestamp(ofRelease: nil, sourceDate: "", now: now) == now)
  }

  @Test(arguments: ["-1", "+1", "1.5", "now", "253402300800", "99999999999999999999"])
  func `a source date that is no count of seconds is refused`(text: String) throws {
    let now = try Timestamp("2026-12-01T00:00:00Z")
    #expect(throws: PublishingError.badSourceDate(text)) {
      try Timestamp(ofRelease: nil, sourceDate: text, now: now)
    }
  }

  @Test(arguments: [
    ("https://h/o/m/resolve/main/{name}", "resolve/main"),
    ("https://h/o/m/raw/Master/{name}", "raw/Master"),
    ("https://h/refs/heads/x/{name}", "refs/heads"),
    ("https://h/releases/latest/download/{name}", "releases/latest"),
    ("https://h/o/m/resolve/0123456789abcdef0123456789abcdef01234567/{name}", nil),
    ("https://h/main/{name}", nil),
    ("file:///srv/{sha256}", nil),
  ])
  func `a mirror on a branch is told from one on a commit`(text: String, word: String?) throws {
    let mirror = try MirrorTemplate(text)
    #expect(MirrorAdvice.about(mirror) == word.map { [.mutable(mirror, word: $0)] } ?? [])
  }
}
