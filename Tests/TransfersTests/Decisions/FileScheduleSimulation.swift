import Digests
import TestSupport
import Testing
import Transfers

/// Thousands of simulated fetches without a socket: mirrors fail at random, time jumps to where the schedule waits.
@Suite struct FileScheduleSimulation {
  private static let pieces = stride(from: 0, to: 20_000, by: 1000).map { $0..<$0 + 1000 }

  private enum Fate { case verified, rejected, fault(MirrorFault) }

  private func fate(_ random: inout SplitMix64, isHonest: Bool) -> Fate {
    switch Int.random(in: 0..<(isHonest ? 12 : 16), using: &random) {
    case 0..<8: .verified
    case 8: .fault(.refusedConnection(""))
    case 9: .fault(.closedEarly(received: 0, expected: 1))
    case 10: .fault(.throttled(status: 503, retryAfter: .seconds(1)))
    case 11: .fault(.timedOut(.idle, after: .seconds(1)))
    case 12: .fault(.missing(status: 404))
    case 13: .fault(.html(firstBytes: ""))
    case 14: .fault(.noRanges(status: 200))
    default: .rejected
    }
  }

  @Test
  func
    `with one honest mirror the file comes, no piece twice, and no mirror is asked again for a wrong one`()
  {
    for seed in 0..<500 {
      var random = SplitMix64(seed: UInt64(seed))
      let count = Int.random(in: 1...4, using: &random)
      let honest = Int.random(in: 0..<count, using: &random)
      var held = Set<Int>()
      var wrong = Set<[Int]>()
      let end = simulate(count, &random) { source, piece, random in
        let fate = fate(&random, isHonest: source == honest)
        #expect(!wrong.contains([source, piece]))
        switch fate {
        case .verified: #expect(held.insert(piece).inserted)
        case .rejected: wrong.insert([source, piece])
        case .fault: break
        }
        return fate
      }
      #expect(end == .finish, "seed \(seed)")
      #expect(held.count == Self.pieces.count)
    }
  }

  @Test func `with no mirror that serves the run ends in bounded time`() {
    for seed in 0..<500 {
      var random = SplitMix64(seed: UInt64(seed))
      let end = simulate(3, &random) { _, _, random in
        if case .verified = fate(&random, isHonest: false) { return .rejected }
        return .fault(.refusedConnection(""))
      }
      #expect(end == .giveUp)
    }
  }

  /// Plays until the schedule finishes or gives up; 10,000 steps are taken for never.
  private func simulate(
    _ mirrors: Int,
    _ random: inout SplitMix64,
    fate: (Int, Int, inout SplitMix64) -> Fate
  ) -> FileSchedule.Step? {
    var standings = MirrorStandings(count: mirrors)
    var now = Duration.zero
    var schedule = FileSchedule(
      pieces: Self.pieces,
      mirrors: Array(0..<mirrors),
      clocks: FetchClocks(),
      now: now
    )
    for _ in 0..<10_000 {
      let step = schedule.next(now: now, standings: standings)
      switch step {
      case .finish, .giveUp: return step
      case .wait(let deadline):
        guard deadline > now else { return nil }
        now = deadline
      case .ask(let source, let range):
        now += .milliseconds(10)
        for piece in Self.pieces.indices
        where range.contains(Self.pieces[piece].lowerBound)
          && schedule.isWanted(piece, from: source)
        {
          let fault: MirrorFault
          switch fate(source, piece, &random) {
          case .verified:
            standings.verified(by: source)
            schedule.hold(piece, now: now)
            continue
          case .rejected:
            schedule.reject(piece, from: source, digest: .ofNothing)
            fault = .wrongBytes(chunk: piece, found: .ofNothing)
          case .fault(let found): fault = found
          }
          let roll = Double.random(in: 0..<1, using: &random)
          standings.failed(source, fault, now: now, roll: roll)
          schedule.failed(source, fault, standings: &standings)
          break
        }
      }
    }
    return nil
  }
}
