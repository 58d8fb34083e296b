import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RedirectTests {
  private let shipment = Shipment()

  @Test(.rows("G1")) func `a redirect is followed and carries no credentials`() async throws {
    let target = try shipment.mirror()
    let mirror = try shipment.mirror(.redirect(to: target.url))
    let url = "http://user:secret@127.0.0.1:\(mirror.port)"
    let outcome = try await shipment.fetch(from: [url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    let request = try #require(target.requests.first)
    #expect(!request.hasAuthorization && !request.hasCookie && request.extensionFields == [])
    #expect(mirror.requests.first?.hasAuthorization == true)
    #expect(outcome.report.mirrors[0].name == mirror.url)
  }

  @Test func `where a URL led is remembered for the run`() async throws {
    let target = try shipment.mirror(.short206)
    let mirror = try shipment.mirror(.redirect(to: target.url))
    try shipment.leavePart(shipment.chunks(1))
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == nil)
    #expect(mirror.requests.count == 1)
    #expect(target.requests.count > 2)
  }

  @Test(arguments: [401, 403, 404, 410])
  func `a target that no longer holds is resolved again, once`(status: Int) async throws {
    let (old, new) = (try shipment.mirror(.short206), try shipment.mirror())
    let mirror = try shipment.mirror(.redirect(to: old.url))
    try shipment.leavePart(shipment.chunks(1))
    let shipment = shipment
    let outcome = try await shipment.fetch(from: [mirror.url]) { event in
      guard case .progress(let progress) = event,
        progress.verified > Shipment.chunkLength
      else { return }
      old.set(.status(status))
      mirror.set(.redirect(to: new.url))
    }
    #expect(outcome.error == nil, "\(outcome.faults(of: 0))")
    #expect(try shipment.part() == shipment.bytes)
    #expect(mirror.requests.count == 2)
  }

  @Test func `a loop without end is given up after five hops`() async throws {
    let mirror = try shipment.mirror(.redirectLoop)
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == .protocolViolation)
    #expect(mirror.requests.count == 6)
    guard case .tooManyRedirects(let chain)? = outcome.faults(of: 0).first else {
      return #expect(Bool(false))
    }
    #expect(chain.count == 7)
  }

  @Test func `a place that is not the mirror itself is named where it refuses`() async throws {
    var shipment = Shipment.hasty
    let dead = try DeadPort()
    let mirror = try shipment.mirror(.redirect(to: dead.url))
    let led = try await shipment.fetch(from: [mirror.url])
    let place = "127.0.0.1:\(dead.port): Connection refused"
    #expect(led.faults(of: 0).first == .refusedConnection(place))
    let own = try await shipment.fetch(from: [dead.url])
    #expect(own.faults(of: 0).first == .refusedConnection("Connection refused"))
    shipment.options.proxies.http = dead.url
    let proxied = try await shipment.fetch(from: [mirror.url])
    #expect(proxied.faults(of: 0).first == .refusedConnection(place))
    withExtendedLifetime((dead, mirror)) {}
  }
}
