/// Cuts the bytes of a file without chunk table into blocks, which a writer hashes and writes in order.
final class StreamIntake: TransferIntake {
  private static let blockSize = 256 * 1024

  private let writer: StreamWriter
  private let source: Int
  private let transfer: Int
  private let pool: ChunkPool
  private let wake: () -> Void
  private var block: ChunkBuffer?
  var end: Int

  /// - Parameters:
  ///   - writer: Takes the blocks.
  ///   - order: What the transfer is to bring.
  ///   - pool: Where memory comes from.
  ///   - wake: Called when the writer has something to do.
  init(
    _ writer: StreamWriter,
    _ order: Scheduler.Order,
    pool: ChunkPool,
    wake: @escaping () -> Void
  ) {
    self.writer = writer
    source = order.source
    transfer = order.transfer
    end = order.range.upperBound
    self.pool = pool
    self.wake = wake
  }

  func begin(_ range: Range<Int>) {
    if range.lowerBound != writer.received { writer.startAgain() }
  }

  func take(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count {
      let block = block ?? pool.take(Self.blockSize)
      self.block = block
      let count = min(bytes.count - start, Self.blockSize - block.count)
      block.append(bytes.extracting(start..<start + count))
      start += count
      if block.count == Self.blockSize { flush() }
    }
    // The last block does not wait for the answer to end.
    if writer.received + (block?.count ?? 0) >= end { flush() }
    return true
  }

  var isAtEnd: Bool { writer.received >= end }

  /// Hands over what is there; of a stream nothing is kept apart.
  func takeUnfinished() -> Assembly? {
    flush()
    return nil
  }

  private func flush() {
    guard let block, block.count > 0 else { return }
    self.block = nil
    pool.lend(block)
    writer.add(block, from: source, by: transfer)
    wake()
  }
}
