import TestSupport
import Testing
import Transfers

@Suite struct BackOffTests {
  @Test(arguments: [(0, 0.25), (1, 0.5), (3, 2), (6, 16), (7, 30), (100, 30)])
  func `a passing fault is met with up to a doubled pause`(failures: Int, most: Double) {
    #expect(BackOff.transient(failures: failures, roll: 0) == .zero)
    #expect(BackOff.transient(failures: failures, roll: 1) == .seconds(most))
  }

  @Test(.rows("F8"), arguments: [(0, 0.5, 1.0), (3, 4, 8), (6, 30, 60), (100, 30, 60)])
  func `a busy mirror is left alone for at least half the pause`(
    failures: Int,
    least: Double,
    most: Double
  ) {
    #expect(BackOff.throttled(failures: failures, asked: nil, roll: 0) == .seconds(least))
    #expect(BackOff.throttled(failures: failures, asked: nil, roll: 1) == .seconds(most))
  }

  @Test func `a busy mirror is left alone for as long as it asks`() {
    #expect(BackOff.throttled(failures: 0, asked: .seconds(20), roll: 0) == .seconds(20))
    #expect(BackOff.throttled(failures: 6, asked: .seconds(20), roll: 0) == .seconds(30))
  }
}
