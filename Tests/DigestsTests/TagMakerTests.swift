import Digests
import TestSupport
import Testing

struct TagMakerTests {
  /// RFC 8439, section 2.5.2.
  private static let key = TagKey(known: [
    0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33, 0x7f, 0x44, 0x52, 0xfe, 0x42, 0xd5, 0x06, 0xa8,
    0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d, 0xb2, 0xfd, 0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b,
  ])
  private static let tag: [UInt8] = [
    0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6, 0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9,
  ]

  private func tag(_ maker: TagMaker, _ bytes: [UInt8], pieces: Int) -> KeyedTag {
    let size = max(1, (bytes.count + pieces - 1) / pieces)
    for start in stride(from: 0, to: bytes.count, by: size) {
      maker.update(bytes.span.extracting(start..<min(start + size, bytes.count)))
    }
    return maker.finalizeAndReset()
  }

  @Test(arguments: [1, 2, 3, 34])
  func `the tag is that of the RFC, in whatever pieces the bytes come and again and again`(
    pieces: Int
  ) throws {
    let maker = try #require(TagMaker(Self.key))
    let bytes = Array("Cryptographic Forum Research Group".utf8)
    for _ in 1...3 { #expect(tag(maker, bytes, pieces: pieces).bytes == Self.tag) }
  }

  @Test func `every byte and the length count`() throws {
    let maker = try #require(TagMaker(TagKey()))
    let bytes = SampleBytes(seed: 3).prefix(4096)
    let right = tag(maker, bytes, pieces: 5)
    for place in [0, 1, 63, 64, 1023, 2048, 4095] {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        #expect(tag(maker, changed, pieces: 2) != right)
      }
    }
    #expect(tag(maker, Array(bytes.dropLast()), pieces: 1) != right)
    #expect(tag(maker, bytes + [0], pieces: 1) != right)
    #expect(tag(maker, bytes, pieces: 1) == right)
  }

  @Test func `each key makes other tags`() throws {
    let bytes = SampleBytes(seed: 4).prefix(100)
    let tags = try (1...20).map { _ in
      tag(try #require(TagMaker(TagKey())), bytes, pieces: 1)
    }
    #expect(Set(tags).count == 20)
  }
}
