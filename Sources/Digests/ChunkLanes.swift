import SystemFiles

/// Hashes chunks of a file side by side, as many as there are lanes.
///
/// Each lane has a window of the file's bytes; a lane whose chunk ends takes the next one, so that chunks of different
/// lengths keep the lanes busy.
struct ChunkLanes {
  /// The bytes of a lane that are read at a time: a whole number of blocks.
  private static let windowSize = 32 * 1024
  /// The distance between windows: not a power of two, or all lanes would want the same lines of the cache.
  private static let windowStride = windowSize + 2 * HashLanes.blockSize
  /// How far ahead of a lane the kernel is asked to read.
  private static let lookahead = 1 << 20

  private struct Lane {
    let index: Int
    let chunk: Chunk
    /// The bytes of the chunk that were read.
    var read = 0
    /// What is left of the window, from a whole block on.
    var window: Range<Int>
    var isPadded = false
  }

  private let table: ChunkTable
  private let manner: ReadingManner
  private var hashes: HashLanes
  private var lanes: [Lane?]
  private var bytes: [UInt8]

  init(of table: ChunkTable, _ compression: LaneCompression, reading manner: ReadingManner) {
    self.table = table
    self.manner = manner
    hashes = HashLanes(compression)
    lanes = Array(repeating: nil, count: compression.count)
    bytes = Array(repeating: 0, count: compression.count * Self.windowStride)
  }

  /// Hashes chunks until `next` gives none.
  ///
  /// `done` takes the index of each with its digest, nil if the file ends before it.
  mutating func hash(
    _ file: borrowing OpenFile,
    next: () -> Int?,
    done: (Int, SHA256Digest?) -> Void
  ) throws(SystemError) {
    while true {
      for place in lanes.indices {
        if lanes[place] == nil, let index = next() { begin(index, in: place, of: file) }
        try fill(place, from: file, done)
      }
      guard let blocks = lanes.compactMap({ $0?.window.count }).min().map({ $0 / 64 }) else {
        return
      }
      step(blocks, done)
    }
  }

  private mutating func begin(_ index: Int, in place: Int, of file: borrowing OpenFile) {
    let chunk = table.chunks[index]
    let start = place * Self.windowStride
    lanes[place] = Lane(index: index, chunk: chunk, window: start..<start)
    hashes.restart(place)
    file.willRead(at: chunk.offset, count: min(chunk.length, Self.lookahead))
  }

  /// Reads the next bytes of the lane's chunk if its window is used up; a chunk that the file lacks ends here.
  private mutating func fill(
    _ place: Int,
    from file: borrowing OpenFile,
    _ done: (Int, SHA256Digest?) -> Void
  ) throws(SystemError) {
    guard var lane = lanes[place], lane.window.isEmpty, !lane.isPadded else { return }
    let start = place * Self.windowStride
    let wanted = min(Self.windowSize, lane.chunk.length - lane.read)
    let offset = lane.chunk.offset + lane.read
    guard try read(wanted, to: start, from: file, at: offset) else {
      lanes[place] = nil
      done(lane.index, nil)
      return
    }
    lane.read += wanted
    var end = start + wanted
    if lane.read == lane.chunk.length {
      end = LanePadding.add(to: &bytes, start: start, end: end, length: lane.chunk.length)
      lane.isPadded = true
    } else if lane.read % Self.lookahead == 0 {
      file.willRead(at: offset + wanted, count: min(Self.lookahead, lane.chunk.length - lane.read))
    }
    lane.window = start..<end
    lanes[place] = lane
  }

  /// Reads to the place in `bytes`; false if the file ends before that.
  private mutating func read(
    _ count: Int,
    to start: Int,
    from file: borrowing OpenFile,
    at offset: Int
  ) throws(SystemError) -> Bool {
    manner.pace?(count)
    var all = bytes.mutableSpan
    return try file.read(count, into: &all, from: start, at: offset) == count
  }

  /// Takes the same number of blocks from every lane; lanes without a chunk hash what lies in their window.
  private mutating func step(_ blocks: Int, _ done: (Int, SHA256Digest?) -> Void) {
    let starts = lanes.indices.map { lanes[$0]?.window.lowerBound ?? $0 * Self.windowStride }
    hashes.update(bytes, starts: starts, blocks: blocks)
    for place in lanes.indices {
      guard var lane = lanes[place] else { continue }
      lane.window = lane.window.dropFirst(blocks * HashLanes.blockSize)
      let isDone = lane.isPadded && lane.window.isEmpty
      if isDone { done(lane.index, hashes.digest(of: place)) }
      lanes[place] = isDone ? nil : lane
    }
  }
}
