package import SystemFiles

extension ChunkCheck {
  /// Finds the same past the page cache, one chunk after the other on the calling thread.
  ///
  /// `report` is called with the bytes of each chunk done; false stops the work.
  package func outcome(
    past file: borrowing DirectFile,
    among indices: [Int],
    report: (Int) -> Bool
  ) throws(DigestError) -> ChunkOutcome {
    var read: [Int] = []
    var differences: [ChunkDifference] = []
    for index in indices {
      let chunk = table.chunks[index]
      let found = try digest(of: chunk.range, past: file)
      read.append(index)
      if found != chunk.digest { differences.append(ChunkDifference(index: index, found: found)) }
      guard report(chunk.length) else {
        return ChunkOutcome(read: read, differences: differences, isStopped: true)
      }
    }
    return ChunkOutcome(read: read, differences: differences, isStopped: false)
  }

  private func digest(
    of range: Range<Int>,
    past file: borrowing DirectFile
  ) throws(DigestError) -> SHA256Digest? {
    manner.pace?(range.count)
    var hasher = SHA256()
    let count: Int
    do {
      count = try file.read(range) {
        hasher.update($0)
        return true
      }
    } catch {
      throw .unreadable(error)
    }
    return count == range.count ? hasher.finalize() : nil
  }
}

extension SHA256Digest {
  /// Reads `size` bytes of a file past the page cache on the calling thread, and hashes them.
  ///
  /// `report` is called with the bytes of each block done; false stops the work. Throws ``DigestError``, for a file of
  /// fewer bytes too.
  package init(
    reading size: Int,
    past file: borrowing DirectFile,
    report: (Int) -> Bool
  ) throws(DigestError) {
    var hasher = SHA256()
    var isStopped = false
    let count: Int
    do {
      count = try file.read(0..<size) { bytes in
        hasher.update(bytes)
        isStopped = !report(bytes.count)
        return !isStopped
      }
    } catch {
      throw .unreadable(error)
    }
    if isStopped { throw .cancelled }
    guard count == size else { throw .sizeChanged(from: size, to: count) }
    self = hasher.finalize()
  }
}
