import Digests
import Dispatch
import Synchronization
import SystemFiles

/// Two threads that read chunks back from the medium behind those that write them, past the page cache.
///
/// What is read is right if it has the tag that was made of the bytes before they were hashed; no chunk needs to stay in
/// memory for it. What is wrong, cannot be read, lies in the page cache, or comes too late is left to who verifies the whole
/// file.
final class ReadBehind: Sendable {
  struct Job: Sendable {
    let part: PartFile
    let piece: Int
    let chunk: Chunk
    /// The number of the write after which it is read.
    let write: Int
    let tag: KeyedTag

    func end(isRight: Bool) { part.readings.end(piece, of: write, isRight: isRight) }
  }

  fileprivate struct State {
    var jobs: [Job] = []
    /// The jobs of the list that were taken already.
    var start = 0
    var hasReaders = false
    var isClosed = false
  }

  private static let readerCount = 2
  /// The chunks that wait at most; where the disk is that far behind, the others are left to who verifies.
  private static let mostJobs = 4096
  /// The bytes that a reader has in memory.
  private static let pieceSize = 1 << 20

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let readers = DispatchGroup()
  private let key: TagKey

  init(_ key: TagKey) { self.key = key }

  /// Has a chunk read back soon, unless all is over or too many wait.
  func add(_ job: Job) {
    state.withLock { state in
      if state.isClosed || state.waitingCount >= Self.mostJobs { return }
      job.part.readings.begin()
      state.jobs.append(job)
      work.signal()
      if state.hasReaders { return }
      state.hasReaders = true
      for number in 1...Self.readerCount {
        DispatchQueue(label: "sealift.reader.\(number)").async(group: readers) { self.run() }
      }
    }
  }

  /// Drops what was not read yet, and returns once the readers are gone.
  func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      defer { (state.jobs, state.start) = ([], 0) }
      return state.jobs.dropFirst(state.start)
    }
    for job in dropped { job.end(isRight: false) }
    for _ in 1...Self.readerCount { work.signal() }
    readers.wait()
  }

  private func run() {
    let maker = TagMaker(key)
    let buffer = ChunkBuffer(capacity: Self.pieceSize)
    while true {
      work.wait()
      guard let job = state.withLock({ $0.next() }) else {
        if state.withLock({ $0.isClosed }) { return }
        continue
      }
      job.end(isRight: maker.map { Self.isRight(job, $0, buffer) } ?? false)
    }
  }

  /// Whether the bytes that were tagged lie on the medium.
  private static func isRight(_ job: Job, _ maker: TagMaker, _ buffer: ChunkBuffer) -> Bool {
    tag(of: job, maker, buffer) == job.tag && job.part.isUncached(job.chunk)
  }

  /// The tag of what a direct read finds; nil if that cannot be read.
  private static func tag(of job: Job, _ maker: TagMaker, _ buffer: ChunkBuffer) -> KeyedTag? {
    var place = job.chunk.offset
    while place < job.chunk.range.upperBound {
      let wanted = min(pieceSize, job.chunk.range.upperBound - place)
      guard let count = try? job.part.readDirect(wanted, into: buffer, at: place), count == wanted
      else {
        _ = maker.finalizeAndReset()
        return nil
      }
      buffer.withBytes { maker.update($0) }
      place += count
    }
    return maker.finalizeAndReset()
  }
}

extension ReadBehind.State {
  fileprivate var waitingCount: Int { jobs.count - start }

  fileprivate mutating func next() -> ReadBehind.Job? {
    guard start < jobs.count else { return nil }
    let job = jobs[start]
    start += 1
    if start >= 1024 || start == jobs.count {
      jobs.removeFirst(start)
      start = 0
    }
    return job
  }
}
