package import SystemFiles

/// Chunks in memory, to be hashed side by side; and by another thread one after the other, if they are those of a file.
///
/// Each chunk stands apart, with its padding behind it, so that lanes can take it to its end.
package struct ChunkBatch: Sendable {
  private(set) var bytes: [UInt8]
  /// Where the bytes of each chunk stand.
  private(set) var places: [Range<Int>] = []
  private var end = 0

  /// Makes room for chunks of these lengths.
  package init(lengths: [Int]) {
    self.init(lengths: lengths, reusing: [], spare: 0)
  }

  /// Makes room for chunks of these lengths in `memory`, or, if that is too small, in new memory with `spare` bytes more
  /// for batches of slightly different chunks to come.
  init(lengths: [Int], reusing memory: consuming [UInt8], spare: Int) {
    let needed = lengths.reduce(0) { $0 + Self.slot(of: $1) }
    // The only reference, or else writing would copy it.
    bytes = consume memory
    if bytes.count < needed { bytes = Array(repeating: 0, count: needed + spare) }
  }

  /// The room for a chunk: whole blocks with padding, and apart from its neighbours by no power of two, or all lanes
  /// would want the same lines of the cache.
  private static func slot(of length: Int) -> Int {
    (length / HashLanes.blockSize + 4) * HashLanes.blockSize
  }

  /// Reads the next chunk, of `length` bytes, from `offset` on.
  ///
  /// Returns the bytes that the file has there; if they are too few, the batch stays as it was.
  package mutating func append(
    _ length: Int,
    of file: borrowing OpenFile,
    at offset: Int
  ) throws(SystemError) -> Int {
    precondition(Self.slot(of: length) <= bytes.count - end, "there is room for the chunk")
    let count = try read(length, of: file, at: offset)
    guard count == length else { return count }
    let place = end..<end + length
    _ = LanePadding.add(to: &bytes, start: place.lowerBound, end: place.upperBound, length: length)
    places.append(place)
    end += Self.slot(of: length)
    return count
  }

  private mutating func read(
    _ count: Int,
    of file: borrowing OpenFile,
    at offset: Int
  ) throws(SystemError) -> Int {
    let start = end
    var all = bytes.mutableSpan
    return try file.read(count, into: &all, from: start, at: offset)
  }
}

extension ChunkBatch {
  /// The digest of each chunk, in order.
  ///
  /// Lanes go on until their longest chunk ends. So the longest are hashed one by one as long as the others could not
  /// keep lanes enough busy meanwhile.
  package func digests(hashing choice: HashChoice) -> [SHA256Digest] {
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
    return places.indices.map { index in
      guard let digest = digests[index] else { preconditionFailure("each chunk has a digest") }
      return digest
    }
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
