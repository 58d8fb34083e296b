import Digests
import Dispatch
import Synchronization
import SystemFiles

/// Two threads that read chunks back from the medium behind those that write them, past the page cache.
///
/// What is read is right if it has the tag that was made of the bytes before they were hashed; no chunk needs to stay in
/// memory for it. What is wrong, cannot be read, or comes too late is left to who verifies the whole file.
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
  /// The bytes that a reader has in memory.
  private static let pieceSize = 1 << 20

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let readers = DispatchGroup()
  private let key: TagKey

  init(_ key: TagKey) { self.key = key }

  /// Has a chunk read back soon, unless all is over.
  func add(_ job: Job) {
    let isFirst = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      job.part.readings.begin()
      state.jobs.append(job)
      defer { state.hasReaders = true }
      return !state.hasReaders
    }
    guard let isFirst else { return }
    if isFirst {
      for number in 1...Self.readerCount {
        DispatchQueue(label: "sealift.reader.\(number)").async(group: readers) { self.run() }
      }
    }
    work.signal()
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
    guard let maker = TagMaker(key) else { preconditionFailure("a tag was made with this key") }
    let buffer = ChunkBuffer(capacity: Self.pieceSize)
    while true {
      work.wait()
      guard let job = state.withLock({ $0.next() }) else {
        if state.withLock({ $0.isClosed }) { return }
        continue
      }
      job.end(isRight: Self.tag(of: job, maker, buffer) == job.tag)
    }
  }

  /// The tag of what lies on the medium; nil if that cannot be read.
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
