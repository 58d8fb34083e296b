import Digests
import Synchronization

/// Whether a worker has found a chunk of a transfer wrong, which that transfer hears of at once.
final class Verdict: Sendable {
  private let flag = Atomic<Bool>(false)

  var isWrong: Bool { flag.load(ordering: .relaxed) }
  func setWrong() { flag.store(true, ordering: .relaxed) }
}

/// A chunk whose bytes are arriving.
final class Assembly {
  let piece: Int
  let buffer: ChunkBuffer
  var contributions = Contributions()

  init(_ piece: Int, _ buffer: ChunkBuffer) {
    self.piece = piece
    self.buffer = buffer
  }
}

/// Where the body of a transfer goes, and what can be said about its end.
protocol TransferIntake: BodySink {
  /// Where the transfer is to end; bytes from there on stop it.
  var end: Int { get set }
  /// Whether it has come there.
  var isAtEnd: Bool { get }
  /// Gives away the unfinished piece, if there is one.
  func takeUnfinished() -> Assembly?
}

/// Collects chunks in memory and hands over those that are whole.
final class SpanIntake: TransferIntake {
  private let table: ChunkTable
  private let source: Int
  private let pool: ChunkPool
  private let brings: (_ piece: Int) -> Bool
  private let handOver: (Assembly, Verdict) -> Void
  private let waste: (Assembly) -> Void
  /// Called with bytes that belong to no chunk that the transfer brings.
  private let skip: (Int) -> Void
  let verdict = Verdict()
  private var assembly: Assembly?
  private var piece = 0
  private var position = 0
  /// Where the body ends.
  private var bodyEnd = 0
  var end: Int

  /// - Parameters:
  ///   - table: The chunks of the file.
  ///   - order: What the transfer is to bring.
  ///   - pool: Where memory comes from.
  ///   - unfinished: The first bytes of the chunk with which the transfer begins.
  ///   - brings: Whether a chunk is for this transfer to bring.
  ///   - handOver: Takes a chunk that is whole.
  ///   - waste: Takes a chunk that is of no use.
  ///   - skip: Told of bytes that are of no use.
  init(
    _ table: ChunkTable,
    _ order: Scheduler.Order,
    pool: ChunkPool,
    unfinished: Assembly?,
    brings: @escaping (_ piece: Int) -> Bool,
    handOver: @escaping (Assembly, Verdict) -> Void,
    waste: @escaping (Assembly) -> Void,
    skip: @escaping (Int) -> Void
  ) {
    self.table = table
    source = order.source
    end = order.range.upperBound
    self.pool = pool
    assembly = unfinished
    self.brings = brings
    self.handOver = handOver
    self.waste = waste
    self.skip = skip
  }

  func begin(_ range: Range<Int>) {
    position = range.lowerBound
    piece = table.firstIndex(endingAfter: position)
    bodyEnd = range.upperBound
    guard let assembly else { return }
    let isContinued =
      assembly.piece == piece
      && table.chunks[piece].offset + assembly.buffer.count == position
    if !isContinued {
      waste(assembly)
      self.assembly = nil
    }
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count, position < end, piece < table.chunks.count {
      let chunk = table.chunks[piece]
      let count = min(chunk.range.upperBound - position, bytes.count - start, end - position)
      if position == chunk.offset, brings(piece) {
        assembly = Assembly(piece, pool.take(chunk.length))
      }
      if let assembly {
        assembly.buffer.append(bytes.extracting(start..<start + count))
        assembly.contributions.add(count, from: source)
      } else {
        skip(count)
      }
      start += count
      position += count
      guard position == chunk.range.upperBound else { continue }
      if let assembly { handOver(assembly, verdict) }
      assembly = nil
      piece += 1
    }
    if start < bytes.count { skip(bytes.count - start) }
    return !verdict.isWrong && (position < end || end >= bodyEnd)
  }

  var isAtEnd: Bool { position >= end }

  func takeUnfinished() -> Assembly? {
    defer { assembly = nil }
    return assembly
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
