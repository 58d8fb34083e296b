import Repositories
import Testing
import Transfers

struct RepositoryClocksTests {
  @Test func `the usual clocks give way to those of repositories`() {
    let clocks = RepositoryClocks().applied(to: FetchOptions()).clocks
    #expect(clocks.connect == .seconds(10) && clocks.giveUp == .seconds(60))
    #expect(clocks.firstByte == .seconds(30) && clocks.idle == .seconds(30))
  }

  @Test(arguments: [1, 5, 9, 12, 15, 20, 29])
  func `who asked for less waits no longer`(seconds: Int) {
    var options = FetchOptions()
    options.clocks.giveUp(after: .seconds(seconds))
    let clocks = RepositoryClocks().applied(to: options).clocks
    for clock in [clocks.connect, clocks.firstByte, clocks.idle, clocks.giveUp] {
      #expect(clock <= .seconds(seconds))
    }
  }
}
