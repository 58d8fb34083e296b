import Digests
import SystemFiles

/// Collects chunks in memory and writes those that are right, once.
///
/// Takes as much memory as the longest chunk.
final class ChunkIntake: Intake {
  private let table: ChunkTable
  private let part: PartFile
  private let isWanted: (_ chunk: Int, _ source: Int) -> Bool
  private let isHeld: (_ chunk: Int) -> Bool
  private let report: (IntakeEvent) -> Void

  private var hasher = SHA256()
  private var buffer: [UInt8] = []
  private var contributions = Contributions()
  /// The chunk in the buffer.
  private var filling: Int?
  /// The chunk that the next byte belongs to, and the place of that byte.
  private var (next, position) = (0, 0)
  private var source = 0
  private(set) var localFailure: SystemError?

  init(
    _ table: ChunkTable,
    part: PartFile,
    isWanted: @escaping (_ chunk: Int, _ source: Int) -> Bool,
    isHeld: @escaping (_ chunk: Int) -> Bool,
    report: @escaping (IntakeEvent) -> Void
  ) {
    self.table = table
    self.part = part
    self.isWanted = isWanted
    self.isHeld = isHeld
    self.report = report
    buffer.reserveCapacity(table.chunks.lazy.map(\.length).max() ?? 0)
  }

  var partial: FileSchedule.Partial? {
    guard let filling, !buffer.isEmpty else { return nil }
    return FileSchedule.Partial(
      piece: filling,
      filled: buffer.count,
      source: contributions.onlySource
    )
  }

  func begin(_ range: Range<Int>, from source: Int) {
    self.source = source
    position = range.lowerBound
    next = table.firstIndex(endingAfter: position)
    let isContinued = filling.map { table.chunks[$0].offset + buffer.count == position } ?? false
    if !isContinued { drop() }
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count, next < table.chunks.count {
      let chunk = table.chunks[next]
      let count = min(chunk.range.upperBound - position, bytes.count - start)
      if position == chunk.offset, isWanted(next, source) {
        drop()
        filling = next
      }
      if filling == next {
        collect(bytes.extracting(start..<start + count))
      } else {
        waste(count)
      }
      start += count
      position += count
      guard position == chunk.range.upperBound else { continue }
      let isRight = filling != next || closeChunk(chunk)
      next += 1
      guard isRight else { return false }
    }
    return true
  }

  func close() { drop() }

  private func collect(_ bytes: Span<UInt8>) {
    hasher.update(bytes)
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    contributions.add(bytes.count, from: source)
  }

  private func closeChunk(_ chunk: Chunk) -> Bool {
    let digest = hasher.finalizeAndReset()
    let contributions = self.contributions.take()
    defer {
      buffer.removeAll(keepingCapacity: true)
      filling = nil
    }
    guard digest == chunk.digest else {
      report(.rejected(piece: next, digest: digest, contributions))
      return false
    }
    do throws(SystemError) {
      try store(chunk)
    } catch {
      localFailure = error
      return false
    }
    report(.verified(piece: next, contributions))
    return true
  }

  /// Claims first, writes then: a kill between the two costs a look at the disk, not a chunk.
  private func store(_ chunk: Chunk) throws(SystemError) {
    try part.claim(next) { table.chunks.indices.filter(isHeld) }
    let bytes = buffer
    try part.write(bytes.span, at: chunk.offset)
    part.file.startWriteback(at: chunk.offset, count: chunk.length)
  }

  private func drop() {
    guard filling != nil else { return }
    if !buffer.isEmpty { report(.wasted(contributions.take())) }
    _ = hasher.finalizeAndReset()
    buffer.removeAll(keepingCapacity: true)
    filling = nil
  }

  private func waste(_ count: Int) {
    var wasted = Contributions()
    wasted.add(count, from: source)
    report(.wasted(wasted))
  }
}

extension ChunkTable {
  /// The index of the chunk that holds the byte at `position`; the number of chunks beyond the last.
  fileprivate func firstIndex(endingAfter position: Int) -> Int {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = low + (high - low) / 2
      if chunks[middle].range.upperBound > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
