import Dispatch
import Synchronization

/// The memory in which chunks arrive and wait to be hashed and written, bounded for the whole run.
///
/// One thread takes buffers and fills them; workers give back what they have written. Where all memory is in
/// use, the taker waits for them.
final class ChunkPool: Sendable {
  private struct State {
    var free: [Int: [ChunkBuffer]] = [:]
    /// The bytes of all buffers, free ones too.
    var size = 0
    /// The buffers that a worker will give back.
    var atWork = 0
    var isAwaited = false
    var waited: Duration = .zero
  }

  private let state = Mutex(State())
  private let budget: Int
  private let returned = DispatchSemaphore(value: 0)

  init(budget: Int) { self.budget = budget }

  /// The buffers that may wait for workers: what one mirror has wrong in a row is not more than that.
  private static let workLimit = 4

  /// A buffer for `length` bytes; waits for a worker if the memory is used up.
  func take(_ length: Int) -> ChunkBuffer {
    let capacity = Self.capacity(for: length)
    while true {
      if let buffer = state.withLock({ take(capacity, from: &$0) }) { return buffer }
      let start = SuspendingClock.now
      returned.wait()
      let time = start.duration(to: .now)
      state.withLock { $0.waited += time }
    }
  }

  /// How long takers have waited in all: time in which no mirror is to blame for silence.
  var waited: Duration { state.withLock { $0.waited } }

  /// Notes that a worker got the buffer and will give it back.
  func lend(_ buffer: ChunkBuffer) { state.withLock { $0.atWork += 1 } }

  /// Takes back a buffer, `fromWorker` if it had been lent to one.
  func give(_ buffer: ChunkBuffer, fromWorker: Bool) {
    buffer.removeAll()
    let isAwaited = state.withLock { state in
      if fromWorker { state.atWork -= 1 }
      if state.size > budget {
        state.size -= buffer.capacity
      } else {
        state.free[buffer.capacity, default: []].append(buffer)
      }
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { returned.signal() }
  }

  /// The buffers that wait for a worker or are with one.
  var backlog: Int { state.withLock { $0.atWork } }

  private func take(_ capacity: Int, from state: inout State) -> ChunkBuffer? {
    guard state.atWork < Self.workLimit else {
      state.isAwaited = true
      return nil
    }
    if let buffer = state.free[capacity]?.popLast() { return buffer }
    while state.size + capacity > budget,
      let other = state.free.first(where: { !$0.value.isEmpty })?.key
    {
      state.free[other]?.removeLast()
      state.size -= other
    }
    // What no worker will give back is not worth waiting for.
    guard state.size + capacity <= budget || state.atWork == 0 else {
      state.isAwaited = true
      return nil
    }
    state.size += capacity
    return ChunkBuffer(capacity: capacity)
  }

  /// A power of two, so that chunks of similar lengths share their buffers; long ones by the MiB.
  private static func capacity(for length: Int) -> Int {
    let step = 1 << 20
    if length > step { return (length + step - 1) / step * step }
    var capacity = 64 * 1024
    while capacity < length { capacity *= 2 }
    return capacity
  }
}
