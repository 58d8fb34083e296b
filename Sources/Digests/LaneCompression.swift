/// The function that takes blocks of several messages into their states.
@safe package struct LaneCompression: Sendable {
  /// The C function: the state of all lanes, word by word; the bytes of each lane; the number of blocks.
  package typealias Function =
    @Sendable @convention(c) (
      UnsafeMutablePointer<UInt32>?, UnsafePointer<UnsafePointer<UInt8>?>?, Int
    ) -> Void

  /// The number of lanes.
  package let count: Int
  private let function: Function

  /// Takes a function that reads whole blocks of `count` lanes and writes eight words for each.
  package init(count: Int, function: Function) {
    self.count = count
    unsafe self.function = function
  }

  /// Takes `blocks` blocks from the start of each of two messages; for two lanes.
  func apply(
    to state: inout [UInt32],
    _ first: Span<UInt8>,
    _ second: Span<UInt8>,
    blocks: Int
  ) {
    precondition(count == 2 && state.count == 8 * count, "each lane has its bytes")
    let size = blocks * HashLanes.blockSize
    precondition(size <= first.count && size <= second.count, "the bytes are there")
    unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in
        unsafe function(&state, [first.baseAddress, second.baseAddress], blocks)
      }
    }
  }

  /// Takes `blocks` blocks of every lane: those of lane `l` begin at `starts[l]` of `bytes`.
  func apply(to state: inout [UInt32], _ bytes: [UInt8], starts: [Int], blocks: Int) {
    precondition(starts.count == count && state.count == 8 * count, "each lane has its bytes")
    let size = blocks * HashLanes.blockSize
    precondition(starts.allSatisfy { $0 >= 0 && $0 + size <= bytes.count }, "the bytes are there")
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let lanes = unsafe starts.map { unsafe bytes.baseAddress?.advanced(by: $0) }
      unsafe function(&state, lanes, blocks)
    }
  }
}
