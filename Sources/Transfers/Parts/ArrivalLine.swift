import Digests
import Synchronization

/// The chunks that wait for a worker: one takes two at a time if two are there, which it hashes side by side.
final class ArrivalLine: Sendable {
  private let waiting = Mutex<[ArrivedChunk]>([])
  private let hash = PairHash.forThisMachine

  /// Adds a chunk; a worker is to be told.
  func add(_ chunk: ArrivedChunk) { waiting.withLock { $0.append(chunk) } }

  /// Does the next one or two chunks; another worker may have done all that is there.
  func work(pool: ChunkPool, _ tagger: TagMaker?, report: (WorkResult) -> Void) {
    let chunks = take()
    // Before the digest, so that nothing can change in memory between the two unnoticed.
    let tags = chunks.map { $0.tag(tagger) }
    switch chunks.count {
    case 2:
      let (first, second) = chunks[0].buffer.withBytes { first in
        chunks[1].buffer.withBytes { second in hash.digests(first, second) }
      }
      settle(chunks[0], first, tags[0], pool, report)
      settle(chunks[1], second, tags[1], pool, report)
    case 1:
      var hasher = SHA256()
      chunks[0].buffer.withBytes { hasher.update($0) }
      settle(chunks[0], hasher.finalize(), tags[0], pool, report)
    default: break
    }
  }

  private func settle(
    _ chunk: ArrivedChunk,
    _ digest: SHA256Digest,
    _ tag: KeyedTag?,
    _ pool: ChunkPool,
    _ report: (WorkResult) -> Void
  ) {
    chunk.settle(digest, tag, report: report)
    pool.give(chunk.buffer, fromWorker: true)
  }

  private func take() -> [ArrivedChunk] {
    waiting.withLock { waiting in
      let count = min(hash.isFaster ? 2 : 1, waiting.count)
      defer { waiting.removeFirst(count) }
      return Array(waiting.prefix(count))
    }
  }
}
