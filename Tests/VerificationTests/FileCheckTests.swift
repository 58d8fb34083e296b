import Digests
import Manifests
import ModelFormats
import ReleaseSimulator
import Synchronization
import SystemFiles
import TestSupport
import Testing
import Verification

@Suite(.temporaryFolder)
struct FileCheckTests {
  @Test(arguments: [FileCheck.Depth.everyByte, .everyByteAndWhole])
  func `the signed bytes are right`(depth: FileCheck.Depth) throws {
    let sample = try SampleRelease()
    for name in ["model.gguf", "config.json", "tokenizer/merges.txt"] {
      #expect(try sample.problem(name, depth) == nil)
    }
  }

  @Test func `a flipped byte is found in each chunk, and only there`() throws {
    let sample = try SampleRelease()
    let chunks = try #require(try sample.entry("model.gguf").chunks?.chunks)
    #expect(chunks.count > 5)
    for chunk in chunks {
      for place in [chunk.offset, chunk.range.upperBound - 1] {
        var bytes = sample.bytes(of: "model.gguf")
        bytes[place] ^= 0x40
        try sample.write(bytes, to: "model.gguf")
        #expect(try sample.problem("model.gguf") == .wrongChunks([chunk]))
      }
    }
  }

  @Test func `all wrong chunks are named in order`() throws {
    let sample = try SampleRelease()
    let chunks = try #require(try sample.entry("model.gguf").chunks?.chunks)
    var bytes = sample.bytes(of: "model.gguf")
    for index in [4, 1, 2] { bytes[chunks[index].offset + 7] ^= 1 }
    try sample.write(bytes, to: "model.gguf")
    #expect(try sample.problem("model.gguf") == .wrongChunks([chunks[1], chunks[2], chunks[4]]))
  }

  @Test func `a file without chunk table is compared as a whole`() throws {
    let sample = try SampleRelease()
    var bytes = sample.bytes(of: "tokenizer/merges.txt")
    bytes[0] ^= 1
    try sample.write(bytes, to: "tokenizer/merges.txt")
    let expected = SHA256Digest(of: sample.bytes(of: "tokenizer/merges.txt"))
    #expect(
      try sample.problem("tokenizer/merges.txt")
        == .wrongDigest(expected: expected, found: SHA256Digest(of: bytes))
    )
  }

  @Test(arguments: ["model.gguf", "tokenizer/merges.txt"])
  func `an empty, a short and a long file have a wrong size`(name: String) throws {
    let sample = try SampleRelease()
    let bytes = sample.bytes(of: name)
    for wrong in [[], Array(bytes.dropLast()), bytes + [0]] {
      try sample.write(wrong, to: name)
      #expect(
        try sample.problem(name) == .wrongSize(expected: bytes.count, found: wrong.count)
      )
    }
  }

  @Test func `a signed digest that the signed chunks contradict is found at full depth alone`()
    throws
  {
    let sample = try SampleRelease()
    let entry = try sample.entry("config.json")
    let other = FileEntry(
      path: entry.path,
      size: entry.size,
      sha256: .ofNothing,
      chunks: entry.chunks
    )
    let file = try OpenFile(readingPlainFile: sample.path("config.json"))
    #expect(try FileCheck(other).problem(in: file) { _ in true } == nil)
    #expect(
      try FileCheck(other, depth: .everyByteAndWhole).problem(in: file) { _ in true }
        == .contradiction(signed: .ofNothing, found: entry.sha256)
    )
  }

  @Test(arguments: ["model.gguf", "config.json", "page.bin", "folder/weights.safetensors"])
  func `a web page is no model, even with the signed digest`(name: String) throws {
    let page = try SimulatedFile(name, SampleModel.htmlPage)
    let sample = try SampleRelease(SimulatedRelease(files: [page]))
    #expect(
      try sample.problem(name)
        == .notAModel(
          FormatProblem(
            file: page.path,
            fault: .htmlPage,
            firstBytes: Array(SampleModel.htmlPage.prefix(16))
          )
        )
    )
  }

  @Test func `wrong bytes go before a wrong format`() throws {
    let sample = try SampleRelease(
      SimulatedRelease(files: [SimulatedFile("a.gguf", SampleModel.htmlPage, chunkLength: nil)])
    )
    var other = SampleModel.htmlPage
    other[3] ^= 1
    try sample.write(other, to: "a.gguf")
    let expected = SHA256Digest(of: SampleModel.htmlPage)
    #expect(
      try sample.problem("a.gguf")
        == .wrongDigest(expected: expected, found: SHA256Digest(of: other))
    )
  }

  @Test(arguments: [nil, 4096])
  func `an empty file is no model`(chunkLength: Int?) throws {
    let file = try SimulatedFile("notes.txt", [], chunkLength: chunkLength)
    let sample = try SampleRelease(SimulatedRelease(files: [file]))
    #expect(
      try sample.problem("notes.txt")
        == .notAModel(FormatProblem(file: file.path, fault: .empty, firstBytes: []))
    )
  }

  @Test(arguments: ["model.gguf", "tokenizer/merges.txt"])
  func `every byte is reported once, and false stops the work`(name: String) throws {
    let sample = try SampleRelease()
    let file = try OpenFile(readingPlainFile: sample.path(name))
    let check = FileCheck(try sample.entry(name))
    let sum = Atomic(0)
    #expect(
      try check.problem(in: file) { count in
        sum.add(count, ordering: .relaxed)
        return true
      } == nil
    )
    #expect(sum.load(ordering: .relaxed) == sample.bytes(of: name).count)
    #expect(throws: CancellationError.self) { try check.problem(in: file) { _ in false } }
  }
}
