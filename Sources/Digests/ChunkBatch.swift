import SystemFiles

/// Consecutive chunks of a file in memory, to be hashed by two threads: each chunk by one, the file by the other.
///
/// Each chunk stands apart, with its padding behind it, so that lanes can take it to its end.
struct ChunkBatch: Sendable {
  /// The most bytes of a batch of several chunks: sixteen lanes of the usual length.
  static let mostBytes = 16 << 20

  private(set) var bytes: [UInt8]
  /// Where the bytes of each chunk stand.
  private(set) var places: [Range<Int>] = []

  /// Reads chunks of `lengths` from `offset` on.
  ///
  /// Throws ``DigestError/sizeChanged(from:to:)`` if the file, of `size` bytes, ends before. `spare` is memory to reuse.
  init(
    reading file: borrowing OpenFile,
    at offset: Int,
    lengths: [Int],
    size: Int,
    reusing spare: consuming [UInt8]
  ) throws(DigestError) {
    let needed = lengths.reduce(0) { $0 + Self.slot(of: $1) }
    // The only reference, or else writing would copy it.
    bytes = consume spare
    if bytes.count < needed {
      // A little more than is needed, for batches of slightly different chunks to come.
      let wanted = max(needed, min(size - offset, Self.mostBytes) + 64 * 1024)
      bytes = Array(repeating: 0, count: wanted)
    }
    var (start, done) = (0, offset)
    for length in lengths {
      let count = try read(length, to: start, from: file, at: done)
      done += count
      guard count == length else { throw .sizeChanged(from: size, to: done) }
      places.append(start..<start + length)
      _ = LanePadding.add(to: &bytes, start: start, end: start + length, length: length)
      start += Self.slot(of: length)
    }
    file.willRead(at: done, count: min(size - done, Self.mostBytes))
  }

  /// The room for a chunk: whole blocks with padding, and apart from its neighbours by no power of two, or all lanes
  /// would want the same lines of the cache.
  private static func slot(of length: Int) -> Int {
    (length / HashLanes.blockSize + 4) * HashLanes.blockSize
  }

  private mutating func read(
    _ count: Int,
    to start: Int,
    from file: borrowing OpenFile,
    at offset: Int
  ) throws(DigestError) -> Int {
    do throws(SystemError) {
      var all = bytes.mutableSpan
      return try file.read(count, into: &all, from: start, at: offset)
    } catch {
      throw .unreadable(error)
    }
  }
}

extension ChunkBatch {
  /// The digest of each chunk, in order.
  ///
  /// Lanes go on until their longest chunk ends. So the longest are hashed one by one as long as the others could not
  /// keep lanes enough busy meanwhile.
  func digests(hashing choice: HashChoice) -> [SHA256Digest] {
    let longestFirst = places.indices.sorted { places[$0].count > places[$1].count }
    var (rest, left) = (longestFirst[...], places.reduce(0) { $0 + $1.count })
    var digests: [Int: SHA256Digest] = [:]
    let compression = choice.path.compression
    while let index = rest.first {
      let length = places[index].count
      if compression != nil, left >= choice.fewestMessages * length { break }
      digests[index] = digestAlone(of: index)
      (rest, left) = (rest.dropFirst(), left - length)
    }
    if let compression {
      hash(rest, in: compression) { digests[$0] = $1 }
    }
    return places.indices.compactMap { digests[$0] }
  }

  private func digestAlone(of index: Int) -> SHA256Digest {
    var hasher = SHA256()
    hasher.update(bytes.span.extracting(places[index]))
    return hasher.finalize()
  }

  /// Hashes chunks side by side; a lane whose chunk ends takes the next one.
  private func hash(
    _ indices: ArraySlice<Int>,
    in compression: LaneCompression,
    done: (Int, SHA256Digest) -> Void
  ) {
    var waiting = indices
    var hashes = HashLanes(compression)
    var lanes = [(index: Int, window: Range<Int>)?](repeating: nil, count: compression.count)
    while true {
      for place in lanes.indices where lanes[place] == nil {
        guard let index = waiting.popFirst() else { break }
        hashes.restart(place)
        lanes[place] = (index, LanePadding.range(of: places[index]))
      }
      guard let size = lanes.compactMap({ $0?.window.count }).min() else { return }
      // Lanes without a chunk hash what lies at the start.
      let starts = lanes.map { $0?.window.lowerBound ?? 0 }
      hashes.update(bytes, starts: starts, blocks: size / HashLanes.blockSize)
      for place in lanes.indices {
        guard let lane = lanes[place] else { continue }
        let window = lane.window.dropFirst(size)
        if window.isEmpty { done(lane.index, hashes.digest(of: place)) }
        lanes[place] = window.isEmpty ? nil : (lane.index, window)
      }
    }
  }
}
