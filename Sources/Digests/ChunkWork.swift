import Synchronization

/// The chunks that several threads share out among themselves, and what they have found.
final class ChunkWork: Sendable {
  private struct State {
    /// How many chunks were taken.
    var taken = 0
    var wrong: [ChunkDifference] = []
    var failure: DigestError?
  }

  private let table: ChunkTable
  private let indices: [Int]
  private let state = Mutex(State())

  /// Takes the chunks to look at, in the order in which they are to be taken.
  init(_ table: ChunkTable, _ indices: [Int]) {
    self.table = table
    self.indices = indices
  }

  /// Whether at least `count` chunks were not taken yet.
  func hasLeft(_ count: Int) -> Bool { state.withLock { indices.count - $0.taken >= count } }

  /// Gives the next chunk to the caller alone; nil when none is left or something has failed.
  func take() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.taken < indices.count else { return nil }
      defer { state.taken += 1 }
      return indices[state.taken]
    }
  }

  /// Takes the digest that was found, nil for bytes that are not there, and stops if `report` says so.
  func note(_ index: Int, digest: SHA256Digest?, report: (Int) -> Bool) {
    let chunk = table.chunks[index]
    if digest != chunk.digest {
      state.withLock { $0.wrong.append(ChunkDifference(index: index, found: digest)) }
    }
    if !report(chunk.length) { fail(.cancelled) }
  }

  /// Ends the work; a failure goes before the end that somebody asked for, since what was taken may not be done then.
  func fail(_ error: DigestError) {
    state.withLock { state in
      if state.failure == nil || state.failure == .cancelled { state.failure = error }
    }
  }

  /// What was found, once every chunk that was taken is done.
  ///
  /// Throws what went wrong; work that `report` has stopped is none of that.
  func outcome() throws(DigestError) -> ChunkOutcome {
    try state.withLock { state throws(DigestError) in
      if let failure = state.failure, failure != .cancelled { throw failure }
      return ChunkOutcome(
        read: Array(indices.prefix(state.taken)),
        differences: state.wrong.sorted { $0.index < $1.index },
        isStopped: state.failure == .cancelled
      )
    }
  }
}
