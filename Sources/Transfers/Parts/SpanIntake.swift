import Digests

/// Collects chunks in memory and hands over those that are whole.
final class SpanIntake: TransferIntake {
  /// What others do for an intake.
  struct Helpers {
    /// Where memory comes from.
    let pool: ChunkPool
    /// Whether a chunk is for this transfer to bring.
    let brings: (_ piece: Int) -> Bool
    /// Takes a chunk that is whole.
    let handOver: (Assembly, Verdict) -> Void
    /// Takes a chunk that is of no use.
    let waste: (Assembly) -> Void
    /// Told of bytes that belong to no chunk that the transfer brings.
    let skip: (Int) -> Void
  }

  private let table: ChunkTable
  private let source: Int
  private let helpers: Helpers
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
  ///   - unfinished: The first bytes of the chunk with which the transfer begins.
  ///   - helpers: What takes the chunks.
  init(
    _ table: ChunkTable,
    _ order: Scheduler.Order,
    unfinished: Assembly?,
    _ helpers: Helpers
  ) {
    self.table = table
    source = order.source
    end = order.range.upperBound
    assembly = unfinished
    self.helpers = helpers
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
      helpers.waste(assembly)
      self.assembly = nil
    }
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count, position < end, piece < table.chunks.count {
      let chunk = table.chunks[piece]
      let count = min(chunk.range.upperBound - position, bytes.count - start, end - position)
      if position == chunk.offset, helpers.brings(piece) {
        assembly = Assembly(piece, helpers.pool.take(chunk.length))
      }
      if let assembly {
        assembly.buffer.append(bytes.extracting(start..<start + count))
        assembly.contributions.add(count, from: source)
      } else {
        helpers.skip(count)
      }
      start += count
      position += count
      guard position == chunk.range.upperBound else { continue }
      if let assembly { helpers.handOver(assembly, verdict) }
      assembly = nil
      piece += 1
    }
    if start < bytes.count { helpers.skip(bytes.count - start) }
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
