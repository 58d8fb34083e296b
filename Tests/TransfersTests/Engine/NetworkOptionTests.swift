import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(1)))
struct NetworkOptionTests {
  @Test func `a rate limit holds`() async throws {
    var shipment = Shipment()
    shipment.options.limitRate = 3_000_000
    let mirror = try shipment.mirror()
    let start = ContinuousClock.now
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(ContinuousClock.now - start > .milliseconds(700))
  }

  @Test func `a proxy is asked for the mirror's URL, except where it is not to be used`()
    async throws
  {
    var shipment = Shipment.hasty
    let proxy = try shipment.mirror(.status(404))
    shipment.options.proxies.http = proxy.url
    _ = try await shipment.fetch(from: ["http://mirror.invalid"])
    #expect(proxy.requests.map(\.target) == ["http://mirror.invalid\(Shipment.path)"])
    shipment.options.proxies.exceptions = "127.0.0.1"
    let mirror = try shipment.mirror()
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(proxy.requests.count == 1)
  }
}
