import Synchronization

/// The chunks that several threads share out among themselves, and what they have found.
final class ChunkWork: Sendable {
  private struct State {
    var next: Int
    var wrong: [Int] = []
    var failure: DigestError?
  }

  private let table: ChunkTable
  private let end: Int
  private let state: Mutex<State>

  init(_ table: ChunkTable, _ indices: Range<Int>) {
    self.table = table
    self.end = indices.upperBound
    state = Mutex(State(next: indices.lowerBound))
  }

  /// Whether at least `count` chunks were not taken yet.
  func hasLeft(_ count: Int) -> Bool { state.withLock { end - $0.next >= count } }

  /// Gives the next chunk to the caller alone; nil when none is left or something has failed.
  func take() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.next < end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Takes the digest that was found, nil for bytes that are not there, and stops if `report` says so.
  func note(_ index: Int, digest: SHA256Digest?, report: (Int) -> Bool) {
    let chunk = table.chunks[index]
    if digest != chunk.digest { state.withLock { $0.wrong.append(index) } }
    if !report(chunk.length) { fail(.cancelled) }
  }

  func fail(_ error: DigestError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// The chunks that were wrong, in order.
  func wrongChunks() throws(DigestError) -> [Int] {
    try state.withLock { state throws(DigestError) in
      if let failure = state.failure { throw failure }
      return state.wrong.sorted()
    }
  }
}
