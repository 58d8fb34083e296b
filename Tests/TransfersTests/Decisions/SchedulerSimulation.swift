import Foundation
import TestSupport
import Testing
import Transfers

/// Thousands of simulated runs: what the scheduler promises holds in each of them.
///
/// `SEALIFT_SIMULATIONS` asks for so many times as many runs.
@Suite struct SchedulerSimulation {
  private static let factor =
    ProcessInfo.processInfo.environment["SEALIFT_SIMULATIONS"].flatMap { Int($0) } ?? 1

  private func mirror(_ random: inout SplitMix64, origin: Int) -> SimulatedRun.Mirror {
    var mirror = SimulatedRun.Mirror()
    mirror.origin = origin
    mirror.rate = [1, 20, 200, 2000].randomElement(using: &random) ?? 20
    mirror.delay = Int.random(in: 0...8, using: &random)
    mirror.faults = [0, 10, 60, 100].randomElement(using: &random) ?? 0
    mirror.wrong = [0, 0, 10, 100].randomElement(using: &random) ?? 0
    mirror.isStalling = Int.random(in: 0..<6, using: &random) == 0
    mirror.ignoresRanges = Int.random(in: 0..<6, using: &random) == 0
    return mirror
  }

  private func honest(_ random: inout SplitMix64, origin: Int) -> SimulatedRun.Mirror {
    var mirror = SimulatedRun.Mirror()
    mirror.origin = origin
    mirror.rate = [100, 300, 3000].randomElement(using: &random) ?? 100
    mirror.faults = [0, 5, 20].randomElement(using: &random) ?? 0
    return mirror
  }

  private func pieces(_ random: inout SplitMix64) -> [Int] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      [0, 1, 1, 12, 40].randomElement(using: &random) ?? 1
    }
  }

  @Test func `with one honest mirror that answers, every run ends in success`() {
    var steps = 0
    for seed in 0..<UInt64(60 * Self.factor) {
      var random = SplitMix64(seed: seed)
      let others = Int.random(in: 0...3, using: &random)
      var mirrors = (0..<others).map { mirror(&random, origin: $0) }
      let place = Int.random(in: 0...others, using: &random)
      mirrors.insert(honest(&random, origin: others), at: place)
      let connections = [1, 2, 6, 8].randomElement(using: &random) ?? 1
      var run = SimulatedRun(
        mirrors,
        pieces: pieces(&random),
        connections: connections,
        room: [2, 3, 12].randomElement(using: &random) ?? 12,
        seed: seed
      )
      #expect(run.play() == .complete, "seed \(seed)")
      steps += run.steps
    }
    #expect(steps > 3000)
  }

  @Test func `without a mirror that serves, every run ends in bounded time`() {
    for seed in 0..<UInt64(20 * Self.factor) {
      var random = SplitMix64(seed: seed)
      let mirrors = (0..<3).map { origin in
        var bad = mirror(&random, origin: origin)
        switch origin {
        case 0: (bad.wrong, bad.faults) = (100, 0)
        case 1: (bad.faults, bad.wrong) = (100, 100)
        default: bad.isStalling = true
        }
        return bad
      }
      var run = SimulatedRun(mirrors, pieces: [12, 1], connections: 6, seed: seed)
      let outcome = run.play()
      guard case .gaveUp = outcome else { return #expect(Bool(false), "seed \(seed): \(outcome)") }
      #expect(run.seconds < 1000, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<5)
  func `a mirror that is far slower costs little time and little waste`(seed: UInt64) {
    var slow = SimulatedRun.Mirror()
    slow.rate = 5
    var fast = SimulatedRun.Mirror()
    (fast.rate, fast.origin) = (500, 1)
    var alone = SimulatedRun([fast], pieces: [400], connections: 6, seed: seed)
    #expect(alone.play() == .complete)
    var both = SimulatedRun([slow, fast], pieces: [400], connections: 6, seed: seed)
    #expect(both.play() == .complete)
    #expect(both.seconds <= 1.5 * alone.seconds + 1)
    #expect(both.sent <= both.size + 3 * 1000)
  }

  @Test func `mirrors share the work by their rates`() {
    var mirrors = (0..<3).map { origin in
      var mirror = SimulatedRun.Mirror()
      mirror.origin = origin
      return mirror
    }
    mirrors[0].rate = 1000
    var run = SimulatedRun(mirrors, pieces: [1000], connections: 6, seed: 1)
    #expect(run.play() == .complete)
    // Two connections each, and four later: between the time for twelve and that for six.
    #expect(run.seconds < 25)
  }
}
