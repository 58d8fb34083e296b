import Dispatch
package import SystemFiles
import Synchronization

/// Compares the bytes of a file, as it lies on disk, with a chunk table.
package struct ChunkCheck: Sendable {
  /// The threads that hash side by side.
  private static let workerCount = 2
  private static let blockSize = 256 * 1024

  private let table: ChunkTable

  package init(against table: ChunkTable) { self.table = table }

  /// Finds the chunks whose bytes differ from the table or are not there.
  ///
  /// Blocks the calling thread, which shares the work with one other. Bytes beyond the table are not looked
  /// at. Takes less than 1 MiB.
  /// - Parameters:
  ///   - file: The file to read.
  ///   - indices: The chunks to look at.
  ///   - report: Called on any of the threads with the bytes of each chunk done; false stops the work.
  /// - Returns: The indices of the wrong chunks, in order.
  /// - Throws: ``DigestError`` if the file cannot be read or the work was stopped.
  package func wrongChunks(
    in file: borrowing OpenFile,
    among indices: Range<Int>? = nil,
    report: @Sendable (Int) -> Bool
  ) throws(DigestError) -> [Int] {
    let indices = indices ?? table.chunks.indices
    let progress = Mutex(Progress(next: indices.lowerBound))
    DispatchQueue.concurrentPerform(iterations: min(Self.workerCount, indices.count)) { _ in
      var block = [UInt8](repeating: 0, count: Self.blockSize)
      while let index = progress.withLock({ $0.take(before: indices.upperBound) }) {
        let outcome = check(table.chunks[index], in: file, using: &block)
        progress.withLock { $0.note(outcome, of: index) }
        if !report(table.chunks[index].length) { progress.withLock { $0.fail(.cancelled) } }
      }
    }
    return try progress.withLock { progress throws(DigestError) in
      if let failure = progress.failure { throw failure }
      return progress.wrong.sorted()
    }
  }

  private enum Outcome { case right, wrong, failed(SystemError) }

  private struct Progress {
    var next: Int
    var wrong: [Int] = []
    var failure: DigestError?

    mutating func take(before end: Int) -> Int? {
      guard failure == nil, next < end else { return nil }
      defer { next += 1 }
      return next
    }

    mutating func fail(_ error: DigestError) { failure = failure ?? error }

    mutating func note(_ outcome: Outcome, of index: Int) {
      switch outcome {
      case .right: break
      case .wrong: wrong.append(index)
      case .failed(let error): fail(.unreadable(error))
      }
    }
  }

  private func check(
    _ chunk: Chunk,
    in file: borrowing OpenFile,
    using block: inout [UInt8]
  ) -> Outcome {
    var hasher = SHA256()
    var done = 0
    while done < chunk.length {
      let wanted = min(block.count, chunk.length - done)
      do {
        var buffer = block.mutableSpan
        let count = try file.read(wanted, into: &buffer, at: chunk.offset + done)
        if count == 0 { return .wrong }
        hasher.update(block.span.extracting(first: count))
        done += count
      } catch {
        return .failed(error)
      }
    }
    return hasher.finalize() == chunk.digest ? .right : .wrong
  }
}
