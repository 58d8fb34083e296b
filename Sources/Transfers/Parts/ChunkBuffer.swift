import Synchronization
import SystemFiles

/// Page-aligned memory for the bytes of a chunk, filled on one thread and read on another.
@safe final class ChunkBuffer: Sendable {
  @safe private struct Storage {
    let start: UnsafeMutableRawPointer
    var count = 0
  }

  let capacity: Int
  private let storage: Mutex<Storage>

  init(capacity: Int) {
    self.capacity = capacity
    let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
    storage = unsafe Mutex(Storage(start: start))
  }

  deinit { storage.withLock { unsafe $0.start.deallocate() } }

  var count: Int { storage.withLock { $0.count } }

  func removeAll() { storage.withLock { $0.count = 0 } }

  /// Adds `bytes`, for which there must be room.
  func append(_ bytes: Span<UInt8>) {
    storage.withLock { storage in
      precondition(bytes.count <= capacity - storage.count, "the buffer has room")
      unsafe bytes.withUnsafeBytes { source in
        guard let first = source.baseAddress else { return }
        unsafe (storage.start + storage.count).copyMemory(from: first, byteCount: source.count)
      }
      storage.count += bytes.count
    }
  }

  /// Lets `body` fill the memory from its start, in place of what was there; it returns how many bytes it has filled.
  ///
  /// Returns the same number.
  func fill(
    _ body: (inout MutableSpan<UInt8>) throws(SystemError) -> Int
  ) throws(SystemError) -> Int {
    try storage.withLock { storage throws(SystemError) in
      storage.count = 0
      let memory = unsafe UnsafeMutableRawBufferPointer(start: storage.start, count: capacity)
      let bytes = unsafe memory.bindMemory(to: UInt8.self)
      var room = unsafe bytes.mutableSpan
      storage.count = try body(&room)
      return storage.count
    }
  }

  /// Gives the bytes to `body`.
  func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withLock { storage throws(Failure) in
      let bytes = unsafe UnsafeRawBufferPointer(start: storage.start, count: storage.count)
      return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
    }
  }
}
