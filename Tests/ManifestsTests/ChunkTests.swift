import Digests
import Manifests
import Signatures
import Testing

struct ChunkTests {
  static let mebibyte = 1 << 20

  @Test(arguments: [
    ([], 1), ([0, 0], 1), ([1], 1), ([16_384 * mebibyte], 1), ([16_384 * mebibyte + 1], 2),
    ([32_768 * mebibyte], 2), ([65_536 * mebibyte], 4), ([131_073 * mebibyte], 16),
    ([Int.max, Int.max], 16), ([262_144 * mebibyte], 16), ([1 << 53], 16),
    (Array(repeating: 1, count: 16_384), 1), (Array(repeating: 1, count: 16_385), 16),
    ([8_192 * mebibyte, 8_192 * mebibyte], 1), ([8_192 * mebibyte, 8_192 * mebibyte, 1], 2),
  ])
  func `the chunk length doubles until a release has few enough chunks`(
    sizes: [Int],
    mebibytes: Int
  ) {
    #expect(ChunkLength.default(forSizes: sizes) == mebibytes * Self.mebibyte)
  }

  private func decode(_ text: String) throws -> ChunkTable {
    try ChunkTable(base64: text, of: RelativePath("f"))
  }

  @Test func `a table is length and digest of each chunk, big end first`() throws {
    let digest = SHA256Digest.ofNothing
    var table = ChunkTable()
    table.append(length: 0x010203, digest: digest)
    table.append(length: 16 << 20, digest: digest)
    #expect(
      table.base64 == Base64.encode([0, 1, 2, 3] + digest.bytes + [1, 0, 0, 0] + digest.bytes)
    )
    #expect(try decode(table.base64) == table)
    #expect(ChunkTable().base64 == "")
    #expect(try decode("") == ChunkTable())
  }

  @Test(arguments: [("AAAA", 0), ("AAAAAA==", 0), ("!", 0), ("AA", 0)])
  func `another form is refused`(text: String, _: Int) {
    let fault = TextFault.badForm(expected: "base64 of 36 bytes per chunk")
    #expect(throws: ManifestError.text(TextProblem(.chunkTable, text, fault))) { try decode(text) }
  }

  @Test(arguments: [0, (16 << 20) + 1, 0xFFFF_FFFF])
  func `a chunk without bytes or over 16 MiB is refused`(length: Int) throws {
    let path = try RelativePath("f")
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    let text = Base64.encode(bytes + SHA256Digest.ofNothing.bytes)
    #expect(throws: ManifestError.release(.badChunkLength(file: path, chunk: 0, length: length))) {
      try decode(text)
    }
  }

  @Test func `more chunks than a release may have are refused`() throws {
    let entry = [0, 0, 0, 1] + SHA256Digest.ofNothing.bytes
    let bytes = Array(repeatElement(entry, count: ChunkLength.maximumCount + 1).joined())
    #expect(throws: ManifestError.release(.tooManyChunks(limit: 131_072))) {
      try decode(Base64.encode(bytes))
    }
  }
}
