import Digests
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct FileDigestsTests {
  private func makeFile(_ bytes: [UInt8]) throws -> OpenFile {
    let file = try OpenFile(creating: TemporaryFolder.current + "/f", mode: 0o600)
    try file.write(bytes.span, at: 0)
    return file
  }

  /// A table by the plain way: each slice hashed on its own.
  private func table(of bytes: [UInt8], chunkLength: Int) -> ChunkTable {
    var table = ChunkTable()
    for start in stride(from: 0, to: bytes.count, by: chunkLength) {
      let slice = Array(bytes[start..<min(start + chunkLength, bytes.count)])
      table.append(length: slice.count, digest: SHA256Digest(of: slice))
    }
    return table
  }

  private static let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  @Test(arguments: [
    (0, 1000), (1, 1000), (999, 1000), (1000, 1000), (1001, 1000), (512 * 1024, 1 << 20),
    (3_000_001, 1 << 20), (3_000_001, 4 << 20), (3_000_001, 777_777), (2 << 20, 1 << 20),
  ])
  func `one read gives the digest of the whole and of each chunk`(
    size: Int,
    chunkLength: Int
  ) throws {
    let bytes = Array(Self.bytes[..<size])
    let digests = try FileDigests(reading: makeFile(bytes), chunkLength: chunkLength) { _ in true }
    #expect(digests.size == size)
    #expect(digests.whole == SHA256Digest(of: bytes))
    #expect(digests.chunks == table(of: bytes, chunkLength: chunkLength))
  }

  @Test(arguments: HashPath.allCases.filter(\.isAvailable), [1, 4])
  func `every way to hash gives each chunk its digest, whatever the lengths`(
    path: HashPath,
    fewestMessages: Int
  ) throws {
    var random = SystemRandomNumberGenerator()
    // Long and short ones beside each other, empty paddings and full ones; the last length goes on to the end.
    let lengths =
      [1, 55, 56, 63, 64, 65, 700_000, 119, 120, 128]
      + (0..<40).map { _ in Int.random(in: 1...90_000, using: &random) }
    let digests = try FileDigests(
      reading: makeFile(Self.bytes),
      chunkLengths: lengths,
      hashing: HashChoice(forcing: path, fewestMessages: fewestMessages)
    ) { _ in true }
    #expect(digests.whole == SHA256Digest(of: Self.bytes))
    #expect(digests.chunks.size == Self.bytes.count)
    #expect(digests.chunks.chunks.map(\.length).starts(with: lengths.prefix(10)))
    for chunk in digests.chunks.chunks {
      #expect(chunk.digest == SHA256Digest(of: Array(Self.bytes[chunk.range])))
    }
  }

  @Test func `a file of several batches has the digests of its bytes`() throws {
    let (length, count) = (3 << 20, 16)
    var bytes = [UInt8](repeating: 7, count: length * count - 5)
    for chunk in 0..<count { bytes[chunk * length] = UInt8(chunk) }
    let file = try makeFile(bytes)
    var reports: [Int] = []
    let digests = try FileDigests(reading: file, chunkLength: length) {
      reports.append($0)
      return true
    }
    #expect(reports == [5 * length, 10 * length, 15 * length, bytes.count])
    #expect(digests.whole == SHA256Digest(of: bytes))
    #expect(digests.chunks == table(of: bytes, chunkLength: length))
  }

  @Test func `a file that is cut short while it is read is refused`() throws {
    let length = 3 << 20
    let file = try makeFile([UInt8](repeating: 7, count: 9 * length))
    #expect(throws: DigestError.sizeChanged(from: 9 * length, to: 7 * length + 1)) {
      _ = try FileDigests(reading: file, chunkLength: length) { _ in
        (try? file.setSize(7 * length + 1)) != nil
      }
    }
  }

  @Test func `the report counts up to the size and can stop the work`() throws {
    let file = try makeFile(Self.bytes)
    var seen: [Int] = []
    _ = try FileDigests(reading: file, chunkLength: 1 << 20) {
      seen.append($0)
      return true
    }
    #expect(seen == seen.sorted() && seen.last == Self.bytes.count)
    #expect(throws: DigestError.cancelled) {
      _ = try FileDigests(reading: file, chunkLength: 1 << 20) { _ in false }
    }
  }

  @Test func `a file that grows while it is read is refused`() throws {
    let file = try makeFile(Array(Self.bytes[..<1000]))
    #expect(throws: DigestError.sizeChanged(from: 1000, to: 1001)) {
      _ = try FileDigests(reading: file, chunkLength: 1 << 20) { _ in
        let more: [UInt8] = [1]
        try? file.write(more.span, at: 1000)
        return true
      }
    }
  }

  @Test(arguments: [0, 1, 1_048_575, 1_048_576, 2_999_999, 3_000_000])
  func `a wrong byte is found in its chunk and in no other`(place: Int) throws {
    let file = try makeFile(Self.bytes)
    let table = table(of: Self.bytes, chunkLength: 1 << 20)
    #expect(try ChunkCheck(against: table).wrongChunks(in: file) { _ in true } == [])
    let wrong: [UInt8] = [Self.bytes[place] ^ 1]
    try file.write(wrong.span, at: place)
    #expect(try ChunkCheck(against: table).wrongChunks(in: file) { _ in true } == [place >> 20])
  }

  @Test func `the chunks of a file that is cut short are wrong from the cut on`() throws {
    let file = try makeFile(Self.bytes)
    let table = table(of: Self.bytes, chunkLength: 1 << 20)
    try file.setSize(1_500_000)
    #expect(try ChunkCheck(against: table).wrongChunks(in: file) { _ in true } == [1, 2])
    #expect(
      try ChunkCheck(against: table).wrongChunks(in: file, among: 0..<1) { _ in true } == []
    )
  }

  @Test func `a check can be stopped`() throws {
    let file = try makeFile(Self.bytes)
    let table = table(of: Self.bytes, chunkLength: 1 << 20)
    #expect(throws: DigestError.cancelled) {
      _ = try ChunkCheck(against: table).wrongChunks(in: file) { _ in false }
    }
  }
}
