import Dispatch
import Synchronization

/// A SHA-256 that runs on a thread of its own, one batch behind the thread that reads.
final class BackgroundHash: Sendable {
  private struct State {
    var next: ChunkBatch?
    var spare: [UInt8] = []
  }

  private let hasher = Mutex(SHA256())
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "sealift.digest")
  private let room = DispatchSemaphore(value: 1)

  /// Memory of a batch that was hashed, for the next one; empty if there is none.
  func takeSpare() -> [UInt8] {
    state.withLock { state in
      defer { state.spare = [] }
      return state.spare
    }
  }

  /// Goes on with the chunks of `batch`, once those of the last one are hashed.
  func update(_ batch: ChunkBatch) {
    room.wait()
    state.withLock { $0.next = batch }
    queue.async {
      self.hashNext()
      self.room.signal()
    }
  }

  private func hashNext() {
    guard let batch = state.withLock({ $0.next.take() }) else { return }
    hasher.withLock { hasher in
      for place in batch.places { hasher.update(batch.bytes.span.extracting(place)) }
    }
    state.withLock { $0.spare = batch.bytes }
  }

  func finalize() -> SHA256Digest {
    queue.sync { hasher.withLock { $0.finalizeAndReset() } }
  }
}
