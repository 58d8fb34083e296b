import Digests
import SystemFiles
import Synchronization

/// Writes a file without chunk table as it arrives, from start to end, and verifies it as a whole.
///
/// Blocks come from one thread and are taken by one worker at a time, in order.
final class StreamWriter: Sendable {
  /// The bytes between two claims in the journal.
  private static let claimSpacing = 1 << 20

  fileprivate enum Item: Sendable {
    case block(ChunkBuffer, source: Int, transfer: Int)
    case startAgain
  }

  fileprivate struct Line {
    var items: [Item] = []
    var isBusy = false
    /// The bytes that came so far, written or not, and from where.
    var received = 0
    var sources = Contributions()
  }

  private struct Progress: ~Copyable {
    var hasher = SHA256()
    var contributions = Contributions()
    var written = 0
    var claimed = 0
  }

  private let file: Int
  private let request: FetchRequest
  private let part: PartFile
  private let line = Mutex(Line())
  private let progress = Mutex(Progress())

  init(_ request: FetchRequest, file: Int, part: PartFile) {
    self.request = request
    self.file = file
    self.part = part
  }

  /// The bytes from the start that came.
  var received: Int { line.withLock { $0.received } }

  /// The source of all these bytes; nil if there are several.
  var onlySource: Int? { line.withLock { $0.sources.onlySource } }

  /// Hashes what an earlier run left, as much as may be there; `report` is told the bytes done, false stops it.
  func resume(_ bench: inout WorkBench, _ report: (Int) -> Bool) throws(SystemError) -> Int {
    let count = try part.claimedPrefix(size: request.size)
    let written = try progress.withLock { progress throws(SystemError) in
      while progress.written < count, report(progress.written) {
        let wanted = min(PartFile.pieceSize, count - progress.written)
        let read = try bench.read(wanted, of: part.file, at: progress.written)
        if read == 0 { break }
        let block = bench.block
        progress.hasher.update(block.span.extracting(first: read))
        progress.contributions.add(read, from: nil)
        progress.written += read
      }
      progress.claimed = progress.written
      return progress.written
    }
    line.withLock { line in
      line.received = written
      if written > 0 { line.sources.add(written, from: nil) }
    }
    return written
  }

  /// Adds a block; a worker is to be told.
  func add(_ block: ChunkBuffer, from source: Int, by transfer: Int) {
    let count = block.count
    line.withLock { line in
      line.items.append(.block(block, source: source, transfer: transfer))
      line.received += count
      line.sources.add(count, from: source)
    }
  }

  /// Drops what came so far: the next block is the first.
  func startAgain() {
    line.withLock { line in
      line.items.append(.startAgain)
      line.received = 0
      _ = line.sources.take()
    }
  }

  /// Hashes and writes what is in line, unless another worker does; `report` gets what comes of it.
  func work(pool: ChunkPool, report: (WorkResult) -> Void) {
    guard line.withLock({ $0.take() }) else { return }
    while let item = line.withLock({ $0.next() }) {
      do throws(SystemError) {
        switch item {
        case .startAgain: try restart(report)
        case .block(let block, let source, let transfer):
          defer { pool.give(block, fromWorker: true) }
          try store(block, source, transfer, report)
        }
      } catch {
        report(.failed(file: file, error))
      }
    }
  }

  /// Whether an earlier run left all bytes, and they are right; if they are wrong, begins anew.
  func verifyResumed() throws(SystemError) -> Bool {
    let digest = progress.withLock { $0.hasher.finalizeAndReset() }
    if digest == request.digest { return true }
    forget()
    try restart { _ in }
    return false
  }

  private func forget() {
    line.withLock { line in
      line.received = 0
      _ = line.sources.take()
    }
  }

  /// Claims what is written, for the next run.
  func close() throws(SystemError) {
    let (written, claimed) = progress.withLock { ($0.written, $0.claimed) }
    if written > claimed { try part.claim(written) }
  }

  private func store(
    _ block: ChunkBuffer,
    _ source: Int,
    _ transfer: Int,
    _ report: (WorkResult) -> Void
  ) throws(SystemError) {
    let (written, claimed) = try progress.withLock { progress throws(SystemError) in
      let offset = progress.written
      let count = try block.withBytes { bytes throws(SystemError) in
        progress.hasher.update(bytes)
        try part.write(bytes, at: offset)
        return bytes.count
      }
      progress.contributions.add(count, from: source)
      progress.written += count
      return (progress.written, progress.claimed)
    }
    if written - claimed >= Self.claimSpacing || written == request.size {
      part.file.startWriteback(at: claimed, count: written - claimed)
      // A claim that is too high would only show when the whole file is wrong, so it comes after the bytes.
      try part.claim(written)
      progress.withLock { $0.claimed = written }
      report(.pending(file: file, written))
    }
    if written == request.size { try verify(by: transfer, report) }
  }

  private func verify(by transfer: Int, _ report: (WorkResult) -> Void) throws(SystemError) {
    let (digest, contributions) = progress.withLock { progress in
      (progress.hasher.finalizeAndReset(), progress.contributions.take())
    }
    if digest == request.digest {
      report(.verified(file: file, piece: 0, contributions))
      return
    }
    forget()
    try restart(report)
    report(
      .rejected(file: file, piece: 0, transfer: transfer, digest: digest, contributions)
    )
  }

  private func restart(_ report: (WorkResult) -> Void) throws(SystemError) {
    let wasted = progress.withLock { progress in
      _ = progress.hasher.finalizeAndReset()
      (progress.written, progress.claimed) = (0, 0)
      return progress.contributions.take()
    }
    try part.claim(0)
    report(.restarted(file: file, wasted))
  }
}

extension StreamWriter.Line {
  /// Whether the caller is the one that takes what is in line.
  fileprivate mutating func take() -> Bool {
    if isBusy || items.isEmpty { return false }
    isBusy = true
    return true
  }

  fileprivate mutating func next() -> StreamWriter.Item? {
    guard !items.isEmpty else {
      isBusy = false
      return nil
    }
    return items.removeFirst()
  }
}
