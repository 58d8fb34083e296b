import Digests
import Manifests
import ModelFormats
import ReleaseSimulator
import TestSupport
import Testing
import Verification

/// Bytes that stand in the place of a file and that say themselves what they are.
@Suite(.temporaryFolder)
struct WrongContentTests {
  /// A release of a model in three shards, with tensors of the same names in every such model.
  private static func shards(seed: UInt64) throws -> SimulatedRelease {
    let files = try (0..<3).map { index in
      try SimulatedFile(
        "m-0000\(index + 1)-of-00003.gguf",
        SampleModel.gguf(shard: index, of: 3, seed: seed + UInt64(index))
      )
    }
    return try SimulatedRelease("m", "1.0.0", files: files)
  }

  @Test func `a shard of another model, right by itself, is named by its number`() throws {
    let sample = try SampleRelease(Self.shards(seed: 1))
    #expect(try sample.findings() == [])
    let name = "m-00003-of-00003.gguf"
    let foreign = try Self.shards(seed: 100).contents[name] ?? []
    #expect(foreign.count == sample.bytes(of: name).count)
    #expect(FileInspection(try RelativePath(name), BytesInMemory(foreign)).problem == nil)
    try sample.write(foreign, to: name)
    let finding = try #require(try sample.findings().first)
    #expect(finding.path == name)
    #expect(finding.code == "modified")
    #expect(finding.text.hasPrefix("m-00003-of-00003.gguf differs in 1 chunk"))
    #expect(!finding.isPublishersFault)
  }

  private func pointer(to digest: SHA256Digest, size: Int) -> [UInt8] {
    SampleModel.lfsPointer(sha256: digest.hex, size: size)
  }

  /// A small file is read with others, a large one by itself, and one without chunks as a whole.
  @Test(arguments: ["model.gguf", "config.json", "tokenizer/merges.txt"])
  func `a Git LFS pointer is compared with the manifest`(name: String) throws {
    let sample = try SampleRelease()
    let bytes = sample.bytes(of: name)
    let digest = SHA256Digest(of: bytes)
    try sample.write(pointer(to: digest, size: bytes.count), to: name)
    let own = try #require(try sample.findings().first)
    #expect(own.code == "lfsPointer")
    #expect(!own.isPublishersFault)
    #expect(
      own.text == "\(name) is the Git LFS pointer to this file, not the file itself "
        + "(SHA-256 \(digest.hex), \(bytes.count) bytes)"
    )
    let other = SHA256Digest.ofNothing
    try sample.write(pointer(to: other, size: 7), to: name)
    #expect(
      try sample.findings().first?.text == "\(name) is a Git LFS pointer to another file "
        + "(SHA-256 \(other.hex), 7 bytes), expected SHA-256 \(digest.hex), \(bytes.count) bytes"
    )
    try sample.write(pointer(to: digest, size: bytes.count + 1), to: name)
    #expect(try sample.findings().first?.text.contains("to another file") == true)
    try sample.write(Array("version https://git-lfs.github.com/spec/v1\n".utf8), to: name)
    #expect(
      try sample.findings().first?.text == "\(name) is a Git LFS pointer that names no file, "
        + "expected SHA-256 \(digest.hex), \(bytes.count) bytes"
    )
  }

  @Test func `a pointer that was signed is the publisher's fault`() throws {
    let bytes = pointer(to: .ofNothing, size: 7)
    let sample = try SampleRelease(
      SimulatedRelease("m", "1.0.0", files: [SimulatedFile("m.gguf", bytes)])
    )
    let finding = try #require(try sample.findings().first)
    #expect(finding.code == "lfsPointer")
    #expect(finding.isPublishersFault)
  }
}
