import Digests
import SystemFiles
import TestSupport
import Testing
import Vectors

/// Each way to hash chunks against libcrypto, on this processor.
@Suite(.temporaryFolder) struct HashLanesTests {
  /// The ways that this machine has; on others the tests of the rest are the work of its owners.
  static let paths = HashPath.allCases.filter(\.isAvailable)

  /// Messages one behind the other in a file, with the digests that libcrypto gives them.
  private struct Stored: ~Copyable {
    let file: OpenFile
    let table: ChunkTable

    init(_ messages: [[UInt8]]) throws {
      let file = try OpenFile(creating: TemporaryFolder.current + "/messages", mode: 0o600)
      let bytes = Array(messages.joined())
      try file.write(bytes.span, at: 0)
      var table = ChunkTable()
      for message in messages {
        table.append(length: message.count, digest: SHA256Digest(of: message))
      }
      self.file = file
      self.table = table
    }

    func wrongChunks(_ path: HashPath) throws -> [Int] {
      try ChunkCheck(against: table, hashing: HashChoice(forcing: path))
        .wrongChunks(in: file) { _ in true }
    }
  }

  private func random(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word = generator.next()
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return Array(bytes[..<count])
  }

  @Test(arguments: paths)
  func `all lengths around the edges of blocks are hashed as libcrypto does`(
    path: HashPath
  ) throws {
    var generator = SplitMix64(seed: 1)
    let messages = (1...330).map { random($0, &generator) }
    let stored = try Stored(messages)
    #expect(try stored.wrongChunks(path) == [])
  }

  /// Ten million bytes in each class of lengths, unless a million do.
  @Test(
    arguments: paths,
    [1...63, 64...4_095, 4_096...65_535, 65_536...1_048_575, 1_048_576...2_000_000]
  )
  func `random messages of each class of lengths are hashed as libcrypto does`(
    path: HashPath,
    lengths: ClosedRange<Int>
  ) throws {
    var generator = SplitMix64(seed: UInt64(lengths.upperBound))
    var messages: [[UInt8]] = []
    var left = Self.bytesOfEachClass
    while left > 0 {
      messages.append(random(Int.random(in: lengths, using: &generator), &generator))
      left -= messages[messages.count - 1].count
    }
    let stored = try Stored(messages)
    #expect(try stored.wrongChunks(path) == [])
  }

  @Test(arguments: paths)
  func `a wrong byte is found in its chunk and in no other, whatever its lane`(
    path: HashPath
  ) throws {
    var generator = SplitMix64(seed: 3)
    let messages = (0..<40).map { _ in
      random(Int.random(in: 1...70_000, using: &generator), &generator)
    }
    let stored = try Stored(messages)
    for index in [0, 7, 15, 16, 31, 39] {
      let chunk = stored.table.chunks[index]
      let place = chunk.offset + chunk.length / 2
      let right = try stored.file.readBlock(count: 1, at: place)
      let wrong = [right[0] ^ 0x10]
      try stored.file.write(wrong.span, at: place)
      #expect(try stored.wrongChunks(path) == [index])
      try stored.file.write(right.span, at: place)
    }
  }

  @Test(arguments: paths)
  func `the chunks of a file that is cut short are wrong from the cut on`(path: HashPath) throws {
    var generator = SplitMix64(seed: 4)
    let stored = try Stored((0..<20).map { _ in random(1_000, &generator) })
    try stored.file.setSize(10_500)
    #expect(try stored.wrongChunks(path) == Array(10..<20))
  }

  @Test(.vectors(.cryptography), arguments: paths)
  func `the published messages have their digests`(path: HashPath) throws {
    let file = try OpenFile(creating: TemporaryFolder.current + "/vectors", mode: 0o600)
    var table = ChunkTable()
    for name in ["SHA256ShortMsg.rsp", "SHA256LongMsg.rsp"] {
      for group in try ResponseFile(.cryptography, "hashes/SHA2/\(name)").groups {
        let message = try #require(group["Msg"].flatMap { [UInt8](hex: $0) })
        guard group["Len"] != "0" else { continue }
        let digest = try #require(group["MD"].flatMap { SHA256Digest(hex: $0) })
        try file.write(message.span, at: table.size)
        table.append(length: message.count, digest: digest)
      }
    }
    #expect(table.chunks.count == 128)
    let wrong = try ChunkCheck(against: table, hashing: HashChoice(forcing: path))
      .wrongChunks(in: file) { _ in true }
    #expect(wrong == [])
  }

  private static let bytesOfEachClass = isOptimized ? 10_000_000 : 1_000_000
}

/// Whether the tests are built with optimisation; without it random bytes are slow to make.
private let isOptimized: Bool = {
  var result = true
  // An assertion's condition is evaluated only in builds without optimisation.
  assert(
    {
      result = false
      return true
    }()
  )
  return result
}()
