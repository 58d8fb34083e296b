import Glibc

/// A way to hash in lanes on trial: whether it is right, and how long it takes.
struct LaneTrial {
  private static let rounds = 4

  let path: HashPath
  private let compression: LaneCompression

  init(_ path: HashPath, _ compression: LaneCompression) {
    self.path = path
    self.compression = compression
  }

  /// Whether messages of lengths around the edges of blocks get the digests that libcrypto gives them.
  func isRight() -> Bool {
    [0, 1, 55, 56, 63, 64, 65, 1000].allSatisfy { length in
      let sample = LaneSample(lanes: compression.count, length: length)
      var lanes = HashLanes(compression)
      lanes.update(sample.bytes, starts: sample.starts, blocks: sample.blocks)
      return (0..<compression.count).allSatisfy {
        lanes.digest(of: $0) == SHA256Digest(of: sample.message($0))
      }
    }
  }

  /// The seconds of a processor for each byte, with a message in each lane.
  func secondsForEachByte() -> Double {
    let sample = LaneSample(lanes: compression.count, length: 8 * 1024)
    var lanes = HashLanes(compression)
    return Self.bestTime {
      lanes.update(sample.bytes, starts: sample.starts, blocks: sample.blocks)
    } / Double(compression.count * sample.length)
  }

  /// The seconds of a processor for each byte of a single message with libcrypto.
  static func secondsForEachByteOneByOne() -> Double {
    let message = LaneSample(lanes: 1, length: 64 * 1024).bytes
    var hasher = SHA256()
    return bestTime { hasher.update(message.span) } / Double(message.count)
  }

  private static func bestTime(_ body: () -> Void) -> Double {
    (0..<rounds).reduce(.infinity) { best, _ in
      let start = secondsOfThread()
      body()
      return min(best, secondsOfThread() - start)
    }
  }

  /// What this thread has used of a processor, so that a loaded machine chooses as an idle one does.
  private static func secondsOfThread() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A different message of the same length for each lane, padded.
private struct LaneSample {
  let length: Int
  let bytes: [UInt8]
  let starts: [Int]
  let blocks: Int

  init(lanes: Int, length: Int) {
    let stride = length + LanePadding.mostBytes
    var bytes = (0..<lanes * stride).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 7) }
    var end = 0
    for start in (0..<lanes).map({ $0 * stride }) {
      end = LanePadding.add(to: &bytes, start: start, end: start + length, length: length) - start
    }
    self.length = length
    self.bytes = bytes
    starts = (0..<lanes).map { $0 * stride }
    blocks = end / HashLanes.blockSize
  }

  func message(_ lane: Int) -> [UInt8] {
    Array(bytes[starts[lane]..<starts[lane] + length])
  }
}
