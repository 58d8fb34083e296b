import Digests
import TestSupport
import Testing

struct PairHashTests {
  /// The two ways to go, whatever is faster here.
  private static let ways = [HashPath.sha, .libcrypto].filter(\.isAvailable)
  private let bytes = SampleBytes(seed: 9).prefix(300_000)

  private func expectRight(_ way: HashPath, _ first: [UInt8], _ second: [UInt8]) {
    let (one, other) = PairHash(HashChoice(forcing: way)).digests(first.span, second.span)
    #expect(one == SHA256Digest(of: first), "\(way) \(first.count)")
    #expect(other == SHA256Digest(of: second), "\(way) \(second.count)")
  }

  @Test(arguments: ways)
  func `both digests are right for every length`(way: HashPath) {
    for length in Array(0...330) + [65_535, 65_536, 65_537, 150_000] {
      expectRight(way, Array(bytes.prefix(length)), Array(bytes.suffix(length)))
    }
  }

  @Test(arguments: ways)
  func `messages of different lengths are right too`(way: HashPath) {
    for (one, other) in [(0, 1), (63, 64), (64, 65), (1000, 100_000)] {
      expectRight(way, Array(bytes.prefix(one)), Array(bytes.suffix(other)))
      expectRight(way, Array(bytes.prefix(other)), Array(bytes.suffix(one)))
    }
  }

  @Test func `the way for this machine is right`() {
    let (first, second) = (Array(bytes.prefix(70_000)), Array(bytes.suffix(70_000)))
    let (one, other) = PairHash.forThisMachine.digests(first.span, second.span)
    #expect(one == SHA256Digest(of: first) && other == SHA256Digest(of: second))
  }
}
