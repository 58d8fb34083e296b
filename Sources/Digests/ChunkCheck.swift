import Dispatch
package import SystemFiles

/// Compares the bytes of a file, as it lies on disk, with a chunk table.
package struct ChunkCheck: Sendable {
  /// The threads that hash side by side.
  private static let workerCount = 2
  private static let blockSize = 256 * 1024

  let table: ChunkTable
  private let choice: HashChoice
  let manner: ReadingManner

  /// Hashes by `choice`, or by itself in the way that is fastest on this machine.
  package init(
    against table: ChunkTable,
    hashing choice: HashChoice? = nil,
    reading manner: ReadingManner = ReadingManner()
  ) {
    self.table = table
    self.choice = choice ?? .forThisMachine
    self.manner = manner
  }

  /// Finds the chunks whose bytes differ from the table or are not there.
  ///
  /// Blocks the calling thread, which shares the work with one other. Bytes beyond the table are not looked
  /// at. Takes less than 2 MiB.
  /// - Parameters:
  ///   - file: The file to read.
  ///   - indices: The chunks to look at.
  ///   - report: Called on any of the threads with the bytes of each chunk done; false stops the work.
  /// - Returns: The indices of the wrong chunks, in order.
  /// - Throws: ``DigestError`` if the file cannot be read or the work was stopped.
  package func wrongChunks(
    in file: borrowing OpenFile,
    among indices: Range<Int>? = nil,
    report: @Sendable (Int) -> Bool
  ) throws(DigestError) -> [Int] {
    let indices = indices ?? table.chunks.indices
    let outcome = try outcome(in: file, among: Array(indices), report: report)
    if outcome.isStopped { throw .cancelled }
    return outcome.differences.map(\.index)
  }

  /// Finds the same among any chunks, with the digests that were read, and says how far it came.
  ///
  /// - Parameters:
  ///   - file: The file to read.
  ///   - indices: The chunks to look at, each once and in order.
  ///   - report: Called on any of the threads with the bytes of each chunk done; false stops the work.
  /// - Returns: What differs, and how far the work came.
  /// - Throws: ``DigestError`` if the file cannot be read.
  package func outcome(
    in file: borrowing OpenFile,
    among indices: [Int],
    report: @Sendable (Int) -> Bool
  ) throws(DigestError) -> ChunkOutcome {
    let work = ChunkWork(table, indices)
    let workers = min(Self.workerCount, indices.count)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      do throws(SystemError) {
        try hashInLanes(file, work, workers: workers, report: report)
        try hashOneByOne(file, work, report: report)
      } catch {
        work.fail(.unreadable(error))
      }
    }
    return try work.outcome()
  }

  /// Hashes in lanes while there are chunks enough to fill so many of every worker's that they pay.
  private func hashInLanes(
    _ file: borrowing OpenFile,
    _ work: ChunkWork,
    workers: Int,
    report: (Int) -> Bool
  ) throws(SystemError) {
    guard let compression = choice.path.compression,
      work.hasLeft(workers * choice.fewestMessages)
    else { return }
    var lanes = ChunkLanes(of: table, compression, reading: manner)
    try lanes.hash(file, next: { work.take() }) { index, digest in
      manner.leave(table.chunks[index].range, of: file)
      work.note(index, digest: digest, report: report)
    }
  }

  private func hashOneByOne(
    _ file: borrowing OpenFile,
    _ work: ChunkWork,
    report: (Int) -> Bool
  ) throws(SystemError) {
    var block: [UInt8] = []
    while let index = work.take() {
      let chunk = table.chunks[index]
      let size = min(Self.blockSize, chunk.length)
      if block.count < size { block = [UInt8](repeating: 0, count: size) }
      let digest = try digest(of: chunk, in: file, using: &block)
      manner.leave(chunk.range, of: file)
      work.note(index, digest: digest, report: report)
    }
  }

  /// The digest of the chunk's bytes; nil if the file ends before them.
  private func digest(
    of chunk: Chunk,
    in file: borrowing OpenFile,
    using block: inout [UInt8]
  ) throws(SystemError) -> SHA256Digest? {
    var hasher = SHA256()
    var done = 0
    while done < chunk.length {
      let wanted = min(block.count, chunk.length - done)
      manner.pace?(wanted)
      var buffer = block.mutableSpan
      let count = try file.read(wanted, into: &buffer, at: chunk.offset + done)
      if count == 0 { return nil }
      hasher.update(block.span.extracting(first: count))
      done += count
    }
    return hasher.finalize()
  }
}
