import Synchronization
import SystemFiles
import Testing

struct SyncCrewTests {
  /// What was called, and on how many threads at a time at most.
  private final class Log: Sendable {
    let numbers = Mutex<[Int]>([])

    func note(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
  }

  @Test(arguments: [0, 1, 15, 31, 32, 100, 1000])
  func `each number is called once`(count: Int) {
    let log = Log()
    let failure: Int? = SyncCrew.firstFailure(of: count) { number in
      log.note(number)
      return nil
    }
    #expect(failure == nil)
    #expect(log.all.sorted() == Array(0..<count))
  }

  @Test func `few numbers are called in order`() {
    let log = Log()
    let _: Int? = SyncCrew.firstFailure(of: 31) { number in
      log.note(number)
      return nil
    }
    #expect(log.all == Array(0..<31))
  }

  @Test(arguments: [10, 1000])
  func `after a failure no call begins, and the lowest is told`(count: Int) {
    let log = Log()
    let failure: Int? = SyncCrew.firstFailure(of: count) { number in
      log.note(number)
      return number >= 7 ? number : nil
    }
    #expect(failure == 7)
    // Each of the other threads may have been at work.
    #expect(log.all.count <= 8 + 3)
  }
}
