import Foundation
import Glibc
import StrictJSON
import TestSupport
import Testing

/// Rows E of the table of known failures: stalls, speed, progress.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct StallRows {
  @Test(.rows("E1"), arguments: [Fault.reset, .truncated, .flip(at: 1_000_000)])
  func `what progress shows as fetched never falls`(fault: Fault) async throws {
    let trio = try await Trio(fault)
    for mirror in [trio.a, trio.b, trio.c] { mirror.rate = 2_500_000 }
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let events = try outcome.events().filter {
      $0["event"] == "progress" && $0["label"] == "fetching"
    }
    let done = events.map { $0.integer("done") }
    #expect(!done.isEmpty)
    #expect(done == done.sorted())
    #expect(events.allSatisfy { $0.integer("total") == Trio.size })
  }

  @Test(.rows("E3"))
  func `a stalled mirror's chunk moves on within the limit for silence`() async throws {
    let trio = try await Trio(.stallAt(1_000_000))
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    // Two seconds of silence, and what the honest mirrors and a loaded machine need for the rest.
    #expect(outcome.wallSeconds < 60)
    #expect(try outcome.share(of: trio.a).good <= 1_000_000)
  }

  @Test(.rows("E6"))
  func `what failed for a while is not told as the end`() async throws {
    let trio = try await Trio(.statusTimes(3, retryAfter: 1))
    let outcome = try await trio.install([], from: [trio.a.url])
    try trio.expectInstalled(outcome)
    #expect(outcome.errorLines == [])
    #expect(try outcome.share(of: trio.a) == MirrorShare(good: Trio.size, faults: ["throttled": 3]))
    #expect(try outcome.summary()["exit"] == 0)
  }

  @Test(.rows("E8"))
  func `an interrupted install ends soon and loses the chunks in flight at most`() async throws {
    let half = Trio.size / 2
    let trio = try await Trio(.stallAt(half))
    let start = ContinuousClock.now
    let running = try trio.home.start(trio.command([], from: [trio.a.url]))
    #expect(try await eventually { try trio.heldBytes() >= half / 4 })
    let before = try trio.heldBytes()
    running.interrupt()
    let interrupted = (ContinuousClock.now - start) / .seconds(1)
    let outcome = await running.wait()
    // One that goes on as if nothing was ends after two minutes of silence.
    #expect(outcome.wallSeconds - interrupted < 60)
    #expect(outcome.ending == .exited(130))
    trio.a.set(.honest)
    let held = try trio.heldBytes()
    #expect(held >= before)
    let resumed = try await trio.install()
    try trio.expectInstalled(resumed)
    let good = try [trio.a, trio.b, trio.c].reduce(0) { try $0 + resumed.share(of: $1).good }
    #expect(good == Trio.size - held)
  }

  @Test(.rows("E2"))
  func `a crawling mirror does not make the end of a file crawl`() async throws {
    let trio = try await Trio()
    for mirror in [trio.b, trio.c] { mirror.rate = 1_500_000 }
    let without = try await trio.install([], from: [trio.b.url, trio.c.url])
    try trio.expectInstalled(without)
    try trio.home.removeStore()
    trio.a.set(.slow(bytesPerSecond: 60_000))
    let with = try await trio.install(["--allow-downgrade"])
    try trio.expectInstalled(with)
    #expect(with.wallSeconds < 1.5 * without.wallSeconds + 3)
  }

  @Test(.rows("E4"))
  func `where every mirror is silent the run ends within the time to give up`() async throws {
    let trio = try await Trio(.stallAt(1_000_000))
    trio.b.set(.silence)
    trio.c.set(.stall(after: 1000))
    let outcome = try await trio.install(["--give-up", "2s"])
    #expect(outcome.ending == .exited(4), "\(outcome.errors)")
    // The time to give up and 15 seconds, and as much again for a loaded machine.
    #expect(outcome.wallSeconds < 34)
  }
}
