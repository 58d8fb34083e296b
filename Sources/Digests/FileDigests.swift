import Dispatch
package import SystemFiles
import Synchronization

/// What one read of a file gives: its size, its SHA-256, and its chunks with theirs.
package struct FileDigests: Hashable, Sendable {
  package let size: Int
  package let whole: SHA256Digest
  package let chunks: ChunkTable
}

extension FileDigests {
  /// The bytes that are read at a time.
  private static let blockSize = 512 * 1024
  /// The blocks that may wait for the hash of the whole file; with `blockSize` this bounds the memory.
  private static let blocksInFlight = 8

  /// Reads `file` once from start to end, cutting it into chunks of `chunkLength` bytes.
  ///
  /// The hash of the whole file runs on a second thread beside reading and hashing chunks, so that on two
  /// cores the time is that of one SHA-256 of the file. Blocks the calling thread; takes about 5 MiB.
  /// - Parameters:
  ///   - file: The file, whatever its position.
  ///   - chunkLength: The length of all chunks but the last, at least 1.
  ///   - report: Called with the bytes done after each block; false stops the work.
  /// - Throws: ``DigestError``, also if the file changes its size meanwhile.
  package init(
    reading file: borrowing OpenFile,
    chunkLength: Int,
    report: (Int) -> Bool
  ) throws(DigestError) {
    precondition(chunkLength > 0, "a chunk has bytes")
    try self.init(reading: file, ChunkCutter(chunkLength: chunkLength), report: report)
  }

  /// Reads `file` once from start to end, cutting it into chunks of `lengths`.
  ///
  /// As the reading in equal chunks; bytes beyond the lengths are cut like the last of them.
  /// - Parameters:
  ///   - file: The file, whatever its position.
  ///   - lengths: The length of each chunk, at least 1; none only for an empty file.
  ///   - report: Called with the bytes done after each block; false stops the work.
  /// - Throws: ``DigestError``, also if the file changes its size meanwhile.
  package init(
    reading file: borrowing OpenFile,
    chunkLengths lengths: [Int],
    report: (Int) -> Bool
  ) throws(DigestError) {
    precondition(lengths.allSatisfy { $0 > 0 }, "a chunk has bytes")
    try self.init(reading: file, ChunkCutter(chunkLengths: lengths), report: report)
  }

  private init(
    reading file: borrowing OpenFile,
    _ cutter: consuming ChunkCutter,
    report: (Int) -> Bool
  ) throws(DigestError) {
    let size = try DigestError.wrap { () throws(SystemError) in try file.status().size }
    let whole = BackgroundHash(maximumWaiting: Self.blocksInFlight)
    var cutter = cutter
    file.expectSequentialReads()
    var offset = 0
    while true {
      let block = try DigestError.wrap { () throws(SystemError) in
        try file.readBlock(count: Self.blockSize, at: offset)
      }
      if block.isEmpty { break }
      whole.update(block)
      cutter.update(block.span)
      offset += block.count
      guard report(offset) else { throw .cancelled }
    }
    guard offset == size else { throw .sizeChanged(from: size, to: offset) }
    self.size = size
    self.whole = whole.finalize()
    self.chunks = cutter.finish()
  }
}

/// Hashes the chunks of a stream of bytes.
private struct ChunkCutter: ~Copyable {
  /// The lengths of the next chunks; the last one is that of all further chunks.
  private var lengths: ArraySlice<Int>
  private var chunkLength: Int
  private var hasher = SHA256()
  private var filled = 0
  private var table = ChunkTable()

  init(chunkLength: Int) { self.init(chunkLengths: [chunkLength]) }

  init(chunkLengths: [Int]) {
    lengths = chunkLengths.dropFirst()
    // A file that was empty when it was planned may have grown since, and is refused in the end.
    chunkLength = chunkLengths.first ?? 1 << 20
  }

  mutating func update(_ bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      let count = min(chunkLength - filled, bytes.count - start)
      hasher.update(bytes.extracting(start..<start + count))
      filled += count
      start += count
      if filled == chunkLength { close() }
    }
  }

  private mutating func close() {
    table.append(length: filled, digest: hasher.finalizeAndReset())
    filled = 0
    if let next = lengths.popFirst() { chunkLength = next }
  }

  consuming func finish() -> ChunkTable {
    if filled > 0 { close() }
    return table
  }
}

/// A SHA-256 that runs on a thread of its own, a few blocks behind the thread that reads.
private final class BackgroundHash: Sendable {
  private let hasher = Mutex(SHA256())
  private let queue = DispatchQueue(label: "sealift.digest")
  private let room: DispatchSemaphore

  init(maximumWaiting: Int) { room = DispatchSemaphore(value: maximumWaiting) }

  func update(_ block: [UInt8]) {
    room.wait()
    queue.async {
      self.hasher.withLock { $0.update(block.span) }
      self.room.signal()
    }
  }

  func finalize() -> SHA256Digest {
    queue.sync { hasher.withLock { $0.finalizeAndReset() } }
  }
}
