import TestSupport
import Testing

/// A disk that stops after any of its writes, or that had only some of those since the last flush, costs nothing.
///
/// What reaches the disk is logged while a command runs, and each state that a power cut may leave is built from the
/// log. The run of every day takes some states; `scripts/test-store blocks` takes hundreds, on XFS too.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable),
  .enabled("needs root, mkfs and loop devices") { await LoopDisk.isAvailable() },
  .enabled("needs libfuse3 and a compiler") {
    await BlockLog.canBeMade()
  }
)
struct BlockLogTests {
  private static let formats: [LoopDisk.Format] = SweepLength.isWhole ? [.ext4, .xfs] : [.ext4]
  private static let scenes: [StoreScene] =
    SweepLength.isWhole ? [.install, .rollback, .removeAll] : [.install]

  /// The states of a disk: the entries of the log that it had written.
  private func states(_ log: BlockLog) -> [[Int]] {
    let ends = Array(1...log.entries.count)
    let prefixes = SweepLength.points(ends, 4) + [log.mark, log.entries.count]
    var random = SplitMix64(seed: SweepLength.seed)
    let mixed = SweepLength.isWhole ? ends + ends : SweepLength.points(ends, 4)
    return prefixes.map { Array(0..<$0) }
      + mixed.map { end in
        let start = log.lastFlush(before: end)
        return Array(0..<start)
          + (start..<end).filter { $0 == end - 1 || Bool.random(using: &random) }
      }
  }

  private func faults(
    _ log: BlockLog,
    _ sweep: CutScene,
    stopsAtFirst: Bool
  ) async throws -> (states: Int, faults: [String]) {
    var (count, faults) = (0, [String]())
    for state in states(log) where !(stopsAtFirst && !faults.isEmpty) {
      count += 1
      let last = state.last ?? 0
      let found = try await sweep.violations(isAcknowledged: last > log.mark) {
        try log.write(state, to: $0)
      }
      if !found.isEmpty {
        faults.append("\(state.count) entries, the last \(last) of \(log.entries.count): \(found)")
      }
    }
    return (count, faults)
  }

  @Test(arguments: scenes, formats)
  func `whatever a disk had written when it stopped, the active version is whole`(
    _ scene: StoreScene,
    _ format: LoopDisk.Format
  ) async throws {
    let sweep = try await CutScene(scene, on: format)
    let program = try #require(await BlockLog.program(in: sweep.home.folder))
    let log = try await sweep.log(program)
    #expect(log.mark < log.entries.count && log.entries.count > 20)
    let (states, faults) = try await faults(log, sweep, stopsAtFirst: false)
    #expect(faults.isEmpty)
    print("\(scene.testDescription), \(format.testDescription): \(states) states of the disk")
  }

  @Test func `a disk shows where no sync is made`() async throws {
    let sweep = try await CutScene(.install, on: .ext4)
    let program = try #require(await BlockLog.program(in: sweep.home.folder))
    let log = try await sweep.log(program, lies: PowerCutTests.Omission.everything.rules([]))
    let marked = Array(0..<log.mark + 1)
    let found = try await sweep.violations(isAcknowledged: true) { try log.write(marked, to: $0) }
    #expect(!found.isEmpty)
  }
}
