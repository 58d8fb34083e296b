import Testing
import Transfers

@Suite struct StageClockTests {
  private static let clocks = {
    var clocks = FetchClocks()
    (clocks.connect, clocks.firstByte, clocks.idle) = (.seconds(1), .seconds(2), .seconds(3))
    return clocks
  }()

  @Test func `each stage has its own limit, counted from its start`() {
    var clock = StageClock(clocks: Self.clocks, now: .seconds(10))
    #expect(clock.fault(now: .milliseconds(10_999)) == nil)
    #expect(clock.fault(now: .seconds(11)) == .timedOut(.connect, after: .seconds(1)))
    clock.connected(now: .seconds(20))
    clock.connected(now: .seconds(21))
    #expect(clock.fault(now: .seconds(22)) == .timedOut(.firstByte, after: .seconds(2)))
    clock.received(4_000, now: .seconds(30))
    clock.received(4_000, now: .seconds(32))
    clock.connected(now: .seconds(33))
    #expect(clock.deadline == .seconds(35))
    #expect(clock.fault(now: .seconds(35)) == .timedOut(.idle, after: .seconds(3)))
  }

  @Test func `a byte now and then is no progress, some hundred are`() {
    var clock = StageClock(clocks: Self.clocks, now: .seconds(0))
    clock.received(100, now: .seconds(1))
    clock.received(1, now: .seconds(2))
    clock.received(1, now: .seconds(3))
    #expect(clock.fault(now: .seconds(4)) == .timedOut(.idle, after: .seconds(3)))
    clock.received(397, now: .seconds(3))
    #expect(clock.deadline == .seconds(4))
    clock.received(1, now: .seconds(3))
    #expect(clock.deadline == .seconds(6))
  }

  @Test func `a request with a limit in all ends there, however steadily bytes come`() {
    var clock = StageClock(clocks: Self.clocks, now: .seconds(10), whole: .seconds(4))
    clock.connected(now: .milliseconds(10_500))
    clock.received(4_000, now: .seconds(12))
    clock.received(4_000, now: .seconds(13))
    #expect(clock.deadline == .seconds(14))
    #expect(clock.fault(now: .milliseconds(13_999)) == nil)
    #expect(clock.fault(now: .seconds(14)) == .timedOut(.whole, after: .seconds(4)))
  }

  @Test func `what runs out first is what is told`() {
    let clock = StageClock(clocks: Self.clocks, now: .seconds(10), whole: .seconds(4))
    #expect(clock.fault(now: .seconds(11)) == .timedOut(.connect, after: .seconds(1)))
  }
}
