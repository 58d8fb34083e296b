package import SystemFiles

/// What one read of a file gives: its size, its SHA-256, and its chunks with theirs.
package struct FileDigests: Hashable, Sendable {
  package let size: Int
  package let whole: SHA256Digest
  package let chunks: ChunkTable
}

extension FileDigests {
  /// The most bytes of a batch of several chunks: sixteen lanes of the usual length.
  fileprivate static let mostBytes = 16 << 20

  /// Reads `file` once from start to end, cutting it into chunks of `chunkLength` bytes.
  ///
  /// As the reading in chunks of different lengths.
  package init(
    reading file: borrowing OpenFile,
    chunkLength: Int,
    hashing choice: HashChoice? = nil,
    report: (Int) -> Bool
  ) throws(DigestError) {
    try self.init(reading: file, chunkLengths: [chunkLength], hashing: choice, report: report)
  }

  /// Reads `file` once from start to end, cutting it into chunks of `lengths`.
  ///
  /// The hash of the whole file runs on a second thread, a batch behind the thread that reads and hashes the chunks side
  /// by side, so that on two cores the time is that of one SHA-256 of the file. Blocks the calling thread; takes two
  /// batches of 16 MiB, or of the longest chunk if that is longer, and no more than twice the file.
  /// - Parameters:
  ///   - file: The file, whatever its position.
  ///   - lengths: The length of each chunk, at least 1; none only for an empty file. Bytes beyond them are cut like the
  ///     last of them.
  ///   - choice: The way to hash chunks; the fastest on this machine if it is nil.
  ///   - report: Called with the bytes done after each batch; false stops the work.
  /// - Throws: ``DigestError``, also if the file changes its size meanwhile.
  package init(
    reading file: borrowing OpenFile,
    chunkLengths lengths: [Int],
    hashing choice: HashChoice? = nil,
    report: (Int) -> Bool
  ) throws(DigestError) {
    precondition(lengths.allSatisfy { $0 > 0 }, "a chunk has bytes")
    let size = try DigestError.wrap { () throws(SystemError) in try file.status().size }
    file.expectSequentialReads()
    let whole = BackgroundHash()
    var cut = ChunkCut(lengths)
    var table = ChunkTable()
    while table.size < size {
      let lengths = cut.next(of: size - table.size)
      let batch = try Self.batch(lengths, of: file, from: table.size, size: size, whole.takeSpare())
      // A file of one chunk has the digest of that.
      if lengths != [size] { whole.update(batch) }
      let choice = choice ?? (lengths.count > 1 ? .forThisMachine : HashChoice(forcing: .libcrypto))
      for (length, digest) in zip(lengths, batch.digests(hashing: choice)) {
        table.append(length: length, digest: digest)
      }
      guard report(table.size) else { throw .cancelled }
    }
    let more = try DigestError.wrap { () throws(SystemError) in
      try file.readBlock(count: 4096, at: size)
    }
    guard more.isEmpty else { throw .sizeChanged(from: size, to: size + more.count) }
    self.size = size
    self.whole = table.chunks.count == 1 ? table.chunks[0].digest : whole.finalize()
    self.chunks = table
  }

  /// Reads the next chunks, and lets the kernel go on to those after them.
  private static func batch(
    _ lengths: [Int],
    of file: borrowing OpenFile,
    from start: Int,
    size: Int,
    _ memory: consuming [UInt8]
  ) throws(DigestError) -> ChunkBatch {
    var batch = ChunkBatch(lengths: lengths, reusing: consume memory, spare: 64 * 1024)
    var offset = start
    for length in lengths {
      let count: Int
      do throws(SystemError) {
        count = try batch.append(length, of: file, at: offset)
      } catch {
        throw .unreadable(error)
      }
      offset += count
      guard count == length else { throw .sizeChanged(from: size, to: offset) }
    }
    file.willRead(at: offset, count: min(size - offset, mostBytes))
    return batch
  }
}

/// The lengths that a file is cut into, batch by batch.
private struct ChunkCut {
  private var lengths: ArraySlice<Int>
  /// The length of all chunks beyond the lengths: the last of them.
  private let last: Int

  init(_ lengths: [Int]) {
    self.lengths = lengths[...]
    // A file that was empty when it was planned may have grown since, and is refused in the end.
    last = lengths.last ?? 1 << 20
  }

  /// Takes the lengths of the next chunks, of which the file has `left` bytes: one, and more as long as they fit into a
  /// batch.
  mutating func next(of left: Int) -> [Int] {
    var taken: [Int] = []
    var sum = 0
    while sum < left {
      let length = min(lengths.first ?? last, left - sum)
      if !taken.isEmpty, sum + length > FileDigests.mostBytes { break }
      lengths = lengths.dropFirst()
      taken.append(length)
      sum += length
    }
    return taken
  }
}
