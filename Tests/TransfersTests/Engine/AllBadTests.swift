import SystemFiles
import TestSupport
import Testing
import Transfers

/// Every mirror is wrong: the fetch ends soon, by the class of what is wrong.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct AllBadTests {
  private let shipment = Shipment.hasty

  @Test(arguments: [
    (Fault.status(404), FetchError.Kind.missing), (.status(500), .network),
    (.status(503, retryAfter: 600), .network), (.status(403), .auth), (.html, .protocolViolation),
    (.gzip, .protocolViolation), (.flip(at: 1_000_000), .integrity), (.zeros, .integrity),
    (.redirectLoop, .protocolViolation), (.stall(after: 100), .network), (.silence, .network),
    (.longer(), .protocolViolation), (.garbage, .protocolViolation),
  ])
  func `the fetch fails by the class of the fault`(fault: Fault, kind: FetchError.Kind) async throws
  {
    let mirrors = [try shipment.mirror(fault), try shipment.mirror(fault)]
    let outcome = try await shipment.fetch(from: mirrors.map(\.url))
    #expect(outcome.error == kind)
    #expect(outcome.report.mirrors.map(\.name) == mirrors.map(\.url))
    #expect(outcome.report.mirrors.allSatisfy { $0.lastFault != nil })
  }

  @Test func `dead ports end in a network failure within the limit for giving up`() async throws {
    let dead = [try DeadPort(), try DeadPort()]
    let outcome = try await shipment.fetch(from: dead.map(\.url))
    #expect(outcome.error == .network)
  }

  @Test func `names that do not resolve are told as offline`() async throws {
    // A label that is too long for the DNS fails without a question to any server.
    let names = ["a", "b"].map { String(repeating: $0, count: 64) + ".invalid" }
    let outcome = try await shipment.fetch(from: names.map { "http://\($0)" })
    #expect(outcome.error == .offline)
    #expect(outcome.faults(of: 0).first == .unresolvedName(host: names[0]))
  }

  @Test func `mirrors that agree on wrong bytes are told so`() async throws {
    let mirrors = [try shipment.mirror(.zeros), try shipment.mirror(.zeros)]
    let outcome = try await shipment.fetch(from: mirrors.map(\.url))
    #expect(outcome.report.mirrorsAgreeOnWrongBytes)
    // An optimised build ends a mirror after its last use, which is before its last request.
    withExtendedLifetime(mirrors) {}
  }

  @Test func `what was verified stays for the next run`() async throws {
    let bad = try shipment.mirror(.flip(at: 1_000_000))
    #expect(try await shipment.fetch(from: [bad.url]).error == .integrity)
    let good = try shipment.mirror()
    let outcome = try await Shipment().fetch(from: [good.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed >= 3 * Shipment.chunkLength)
    #expect(good.bytesSent == shipment.bytes.count - outcome.resumed)
  }

  @Test func `what no URL can be is a fault of its mirror`() async throws {
    let good = try shipment.mirror()
    let outcome = try await shipment.fetch(from: ["ftp://user:secret@host", good.url])
    #expect(outcome.error == nil)
    #expect(outcome.report.mirrors[0].name == "ftp://host")
    #expect(outcome.faults(of: 0).first?.kind == .protocolViolation)
  }

  @Test func `a folder that cannot be written ends the fetch as a local failure`() async throws {
    let mirror = try shipment.mirror()
    try Folder(path: TemporaryFolder.current).replaceLink("0.part", target: "elsewhere")
    let outcome = try await shipment.fetch(from: [mirror.url])
    guard case .local(let error)? = outcome.error else { return #expect(Bool(false)) }
    #expect(error.isEscape)
    #expect(mirror.requests == [])
  }
}
