import CHashLanes

/// A way to compute SHA-256: one message after the other, or several side by side in the lanes of the processor.
package enum HashPath: CaseIterable, Hashable, Sendable {
  /// Sixteen lanes of AVX-512.
  case avx512
  /// Eight lanes of AVX2.
  case avx2
  /// Two messages that take turns with the SHA instructions.
  case sha
  /// libcrypto, one message at a time: on every processor.
  case libcrypto

  /// How many messages are hashed side by side.
  package var laneCount: Int {
    switch self {
    case .avx512: Int(hash_lanes_avx512_count)
    case .avx2: Int(hash_lanes_avx2_count)
    case .sha: Int(hash_lanes_sha_count)
    case .libcrypto: 1
    }
  }

  /// Whether this processor and its system can go this way.
  package var isAvailable: Bool {
    switch self {
    case .avx512: hash_lanes_has_avx512() != 0
    case .avx2: hash_lanes_has_avx2() != 0
    case .sha: hash_lanes_has_sha() != 0
    case .libcrypto: true
    }
  }

  /// What takes whole blocks from every lane; nil for libcrypto.
  package var compression: LaneCompression? {
    switch self {
    case .avx512: unsafe LaneCompression(count: laneCount, function: hash_lanes_avx512)
    case .avx2: unsafe LaneCompression(count: laneCount, function: hash_lanes_avx2)
    case .sha: unsafe LaneCompression(count: laneCount, function: hash_lanes_sha)
    case .libcrypto: nil
    }
  }
}
