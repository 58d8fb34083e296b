import Digests
import SystemFiles

extension PartFile {
  /// The chunks of `table` that may lie right in the part; only hashing shows it.
  ///
  /// What the journal claims; without a journal, the chunks that were written as a whole.
  func claimedChunks(of table: ChunkTable) throws(SystemError) -> [Int] {
    guard isResumed else { return [] }
    if let claims = try claims() {
      return Set(claims).filter(table.chunks.indices.contains).sorted()
    }
    let written = try file.writtenRanges()
    var next = written.startIndex
    return table.chunks.indices.filter { index in
      let range = table.chunks[index].range
      while next < written.endIndex, written[next].upperBound < range.upperBound { next += 1 }
      return next < written.endIndex && written[next].lowerBound <= range.lowerBound
    }
  }

  /// How many bytes from the start of a file without chunk table may be there.
  ///
  /// What the journal claims last; without a journal all of it if all was written, else nothing.
  func claimedPrefix(size: Int) throws(SystemError) -> Int {
    guard isResumed else { return 0 }
    if let claims = try claims() { return min(claims.last ?? 0, size) }
    return try file.writtenRanges() == [0..<size] ? size : 0
  }

  /// Whether the chunk lies right in the part.
  func holds(_ chunk: Chunk, _ bench: inout WorkBench) throws(SystemError) -> Bool {
    try file.digest(of: chunk.range, &bench) == chunk.digest
  }

  /// Takes a chunk from another file of this machine, shared with it where the file system can.
  ///
  /// What was taken is verified like what a mirror sends; false if it was not right.
  func take(
    _ chunk: Chunk,
    from donor: borrowing OpenFile,
    at offset: Int,
    _ bench: inout WorkBench
  ) throws(SystemError) -> Bool {
    if file.share(chunk.length, of: donor, from: offset, at: chunk.offset) {
      return try holds(chunk, &bench)
    }
    var hasher = SHA256()
    var done = 0
    while done < chunk.length {
      let count = try bench.read(
        min(Self.pieceSize, chunk.length - done),
        of: donor,
        at: offset + done
      )
      if count == 0 { break }
      let bytes = bench.block.span.extracting(first: count)
      hasher.update(bytes)
      try file.write(bytes, at: chunk.offset + done)
      done += count
    }
    file.startWriteback(at: chunk.offset, count: done)
    return hasher.finalize() == chunk.digest
  }
}

extension WorkBench {
  /// Reads at most `count` bytes into the block; returns how many there were.
  mutating func read(
    _ count: Int,
    of file: borrowing OpenFile,
    at offset: Int
  ) throws(SystemError) -> Int {
    if block.count < count { block = [UInt8](repeating: 0, count: max(count, 256 * 1024)) }
    var buffer = block.mutableSpan
    return try file.read(count, into: &buffer, at: offset)
  }
}

extension OpenFile {
  /// The SHA-256 of a range as it is on disk; nil if the file ends before.
  fileprivate func digest(
    of range: Range<Int>,
    _ bench: inout WorkBench
  ) throws(SystemError) -> SHA256Digest? {
    var hasher = SHA256()
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = try bench.read(min(256 * 1024, range.upperBound - offset), of: self, at: offset)
      if count == 0 { break }
      hasher.update(bench.block.span.extracting(first: count))
      offset += count
    }
    return offset == range.upperBound ? hasher.finalize() : nil
  }
}
