import Manifests
import Testing

struct ChunkPlanTests {
  @Test(
    arguments: [
      (0, [], []), (10, [], [4, 4, 2]), (8, [], [4, 4]),
      // The first edge always ends a chunk, the others only where that makes no small one.
      (10, [3], [3, 4, 3]), (12, [3, 6], [3, 3, 4, 2]), (12, [1, 2], [1, 4, 4, 3]),
      (12, [1, 4, 6], [1, 3, 2, 4, 2]), (12, [1, 2, 5], [1, 4, 4, 3]),
      (20, [9], [4, 4, 1, 4, 4, 3]), (4, [1], [4]), (9, [0, 3], [3, 4, 2]),
    ] as [(Int, [Int], [Int])]
  )
  func `a file is cut at its first edge, and at others that make no small chunks`(
    size: Int,
    edges: [Int],
    lengths: [Int]
  ) {
    #expect(ChunkPlan(size: size, length: 4, edges: edges).lengths == lengths)
  }

  @Test func `what is longer before the first edge leaves the chunks behind it`() {
    let edges = [1_000, 1_700, 2_900, 9_000, 9_600]
    let one = ChunkPlan(size: 12_345, length: 1_024, edges: edges).lengths
    let other = ChunkPlan(size: 12_845, length: 1_024, edges: edges.map { $0 + 500 }).lengths
    #expect(one.first == 1_000)
    #expect(Array(other.prefix(2)) == [1_024, 476])
    #expect(one.dropFirst(1) == other.dropFirst(2))
    #expect(one.reduce(0, +) == 12_345)
  }

  @Test func `a release with many edges still has a usual count of chunks`() {
    let size = 16_384 << 20
    let edges = stride(from: 600_000, to: size, by: 600_000).map(\.self)
    let plans = ChunkPlan.plans(for: [(size, edges)])
    #expect(plans[0].lengths.count <= 16_384)
    #expect(plans[0].lengths.reduce(0, +) == size)
    #expect(plans[0].lengths.allSatisfy { $0 <= ChunkLength.maximum })
  }
}
