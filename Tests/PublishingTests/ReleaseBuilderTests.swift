import Digests
import Foundation
import Manifests
import ModelFormats
import Publishing
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct ReleaseBuilderTests {
  @Test func `an entry has the size, digests and facts of its file`() throws {
    let bytes = largeModel
    try write(bytes, to: "model.gguf")
    let release = try ReleaseBuilder.build(["model.gguf"], .sample()).release
    let file = try #require(release.files.first)
    #expect(file.size == bytes.count)
    #expect(file.sha256 == SHA256Digest(of: bytes))
    #expect(file.role == .weights)
    #expect(file.format.name.text == "gguf")
    #expect(file.format.version == 3)
    #expect(file.format.architecture == "lfm2")
    #expect(file.basis == .measured)
    let mebibyte = 1 << 20
    var table = ChunkTable()
    // The first chunk ends where the tensors begin.
    let dataStart = SampleModel.gguf(architecture: "lfm2").count - 32
    let starts = [0] + stride(from: dataStart, to: bytes.count, by: mebibyte)
    for (start, end) in zip(starts, starts.dropFirst() + [bytes.count]) {
      let chunk = Array(bytes[start..<end])
      table.append(length: chunk.count, digest: SHA256Digest(of: chunk))
    }
    #expect(file.chunks == table)
  }

  @Test(arguments: [
    ("model.gguf", SampleModel.gguf(), "gguf"),
    ("model.safetensors", SampleModel.safetensors(), "safetensors"),
    ("model.onnx", SampleModel.onnx(), "onnx"),
    ("model.tflite", SampleModel.tflite(), "tflite"),
    ("notes.txt", Array("some words".utf8), "other"),
  ])
  func `the content tells the format`(name: String, bytes: [UInt8], format: String) throws {
    try write(bytes, to: name)
    let release = try ReleaseBuilder.build([name], .sample()).release
    #expect(release.files.first?.format.name.text == format)
  }

  @Test func `the same files and draft give the same bytes, whatever the order of the paths`()
    throws
  {
    try write(SampleModel.safetensors(), to: "b.safetensors")
    try write(SampleModel.gguf(), to: "a.gguf")
    let one = try ReleaseBuilder.build(["a.gguf", "b.safetensors"], .sample()).envelope()
    let other = try ReleaseBuilder.build(["b.safetensors", "a.gguf"], .sample()).envelope()
    #expect(one.encode() == other.encode())
  }

  @Test(arguments: [
    ("model.gguf", [], "empty"),
    ("model.gguf", SampleModel.htmlPage, "htmlPage"),
    ("model.gguf", [UInt8](repeating: 0, count: 8192), "zeroFilled"),
    ("model.gguf", SampleModel.safetensors(), "formatMismatch"),
    ("model.gguf", Array("GGUF".utf8), "truncated"),
    ("config.json", Array("{\"error\": \"no access\"}".utf8), "jsonError"),
    (
      "model.onnx", SampleModel.lfsPointer(sha256: SHA256Digest.ofNothing.hex, size: 1234),
      "lfsPointer"
    ),
  ])
  func `what is no model is refused by name`(name: String, bytes: [UInt8], code: String) throws {
    let path = try write(bytes, to: name)
    let error: PublishingError? = failure { _ = try ReleaseBuilder.build([name], .sample()) }
    guard case .unfit(let files) = error, case .content(let problem) = files.first?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(files.map(\.path) == [path])
    #expect(problem.fault.code == code)
  }

  @Test func `all unfit files are found before any is hashed`() throws {
    try write(largeModel, to: "release/a.gguf")
    try write(SampleModel.htmlPage, to: "release/b.gguf")
    try write([], to: "release/c.gguf")
    var greatest = 0
    let error: PublishingError? = failure {
      _ = try ReleaseBuilder.build(["release"], .sample()) {
        greatest = max(greatest, $0.done)
        return true
      }
    }
    guard case .unfit(let files) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(files.map(\.path) == ["b", "c"].map { TemporaryFolder.path("release/\($0).gguf") })
    #expect(greatest == 0)
  }

  @Test(arguments: [
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE=\n-----END OPENSSH PRIVATE KEY-----\n",
    "Bag Attributes\n-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n-----END ENCRYPTED PRIVATE KEY-----\n",
  ])
  func `a private key is never published, whatever its name is`(key: String) throws {
    try write(SampleModel.gguf(), to: "release/a.gguf")
    try write(Array(key.utf8), to: "release/notes.txt")
    let path = TemporaryFolder.path("release/notes.txt")
    #expect(throws: PublishingError.unfit([UnfitFile(path: path, reason: .privateKey)])) {
      try ReleaseBuilder.build(["release"], .sample())
    }
  }

  @Test func `a package without its manifest is refused`() throws {
    try write([1, 2, 3], to: "release/m.mlpackage/Data/weights/weight.bin")
    let error: PublishingError? = failure { _ = try ReleaseBuilder.build(["release"], .sample()) }
    guard case .unfit(let files) = error, case .content(let problem) = files.first?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.fault == .bundleIncomplete(missing: "m.mlpackage/Manifest.json"))
  }

  @Test func `progress ends with all bytes`() throws {
    try write(SampleModel.gguf(), to: "a.gguf")
    try write(largeModel, to: "b.gguf")
    let listing = try SourceListing(["a.gguf", "b.gguf"].map(TemporaryFolder.path))
    let builder = ReleaseBuilder(try .sample(), listing)
    var done = 0
    _ = try builder.build { progress in
      #expect(progress.done >= done)
      done = progress.done
      return true
    }
    #expect(done == builder.size)
  }

  @Test func `false from the report stops the work`() throws {
    try write(largeModel, to: "a.gguf")
    #expect(throws: CancellationError.self) {
      try ReleaseBuilder.build(["a.gguf"], .sample()) { $0.done == 0 }
    }
  }

  @Test func `a mirror that gives several files one URL is refused`() throws {
    try write(SampleModel.gguf(), to: "a.gguf")
    try write(SampleModel.gguf(), to: "b.gguf")
    let mirror = "https://example.com/{model}/{version}"
    #expect(throws: PublishingError.mirrorOfOneFile(try MirrorTemplate(mirror), files: 2)) {
      try ReleaseBuilder.build(["a.gguf", "b.gguf"], .sample(mirrors: [mirror]))
    }
    #expect(throws: Never.self) { try ReleaseBuilder.build(["a.gguf"], .sample(mirrors: [mirror])) }
  }

  @Test func `doubtful mirrors are allowed with a warning`() throws {
    try write([1, 2, 3], to: "model.bin")
    let mirror = "http://example.com/resolve/main/{name}"
    let template = try MirrorTemplate(mirror)
    let built = try ReleaseBuilder.build(["model.bin"], .sample(mirrors: [mirror]))
    #expect(
      built.warnings == [
        .mirror(.unencrypted(template)),
        .mirror(.mutable(template, word: "resolve/main")),
      ]
    )
    #expect(try ReleaseBuilder.build(["model.bin"], .sample()).warnings.first == .noMirror)
  }

  @Test func `a file that can run code is sealed only where somebody agrees`() throws {
    let path = try write([0x80, 2, 0x7D, 0x2E], to: "model.pkl")
    let error: PublishingError? = failure { _ = try ReleaseBuilder.build(["model.pkl"], .sample()) }
    guard case .unfit(let files) = error, case .content(let problem) = files.first?.reason else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(files.map(\.path) == [path])
    #expect(problem.fault.code == "unsafeCode")
    var draft = try ReleaseDraft.sample(mirrors: ["https://h/{name}"])
    draft.consent.code = true
    let built = try ReleaseBuilder.build(["model.pkl"], draft)
    let warning = BuildWarning.runsCode(
      try RelativePath("model.pkl"),
      FormatName(known: "pickle")
    )
    #expect(built.warnings == [warning])
  }
}
