import TestSupport
import Testing
import Transfers

/// One mirror is wrong in one way, the next is honest: the file is right and the fault has its name.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct FaultTests {
  private let shipment = Shipment()
  private static let size = Shipment.size

  /// Faults that a first, whole request shows.
  private static let first: [(Fault, MirrorFault.Kind)] = [
    (.status(404), .missing), (.status(410), .missing), (.status(500), .transient),
    (.status(503, retryAfter: 1), .throttled), (.status(429), .throttled),
    (.status(403), .auth), (.status(401), .auth), (.html, .protocolViolation),
    (.gzip, .protocolViolation), (.truncated, .transient), (.truncatedWithoutLength, .transient),
    (.reset, .transient), (.flip(at: 1_000_000), .integrity), (.zeros, .integrity),
    (.longer(), .protocolViolation), (.shorter(), .protocolViolation),
    (.redirectLoop, .protocolViolation), (.stall(after: 300_000), .transient),
    (.silence, .transient), (.garbage, .protocolViolation), (.endlessHeader, .protocolViolation),
    (.endlessBody, .protocolViolation), (.twoLengths, .protocolViolation),
    (.always416, .protocolViolation),
  ]

  @Test(arguments: first)
  func `the second mirror makes good what the first does wrong`(
    fault: Fault,
    kind: MirrorFault.Kind
  ) async throws {
    var shipment = shipment
    if fault == .stall(after: 300_000) || fault == .silence {
      shipment.options.clocks = Shipment.hasty.options.clocks
    }
    let (bad, good) = try shipment.mirrors(fault)
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.faults(of: 0).first?.kind == kind, "\(outcome.faults(of: 0))")
    #expect(outcome.faults(of: 1) == [])
    #expect(outcome.report.mirrors[0].faults[kind] ?? 0 >= 1)
  }

  /// Faults that only a request for a range shows.
  private static let ranged: [(Fault, MirrorFault.Kind)] = [
    (.noRange, .noRanges), (.wrongContentRange, .protocolViolation),
    (.noContentRange, .protocolViolation), (.shift, .integrity), (.multipart, .protocolViolation),
    (.shortLength, .protocolViolation), (.twoContentRanges, .protocolViolation),
    (.always416, .noRanges), (.oneRange(holding: 2_000_000), .throttled),
    (.longer(), .protocolViolation), (.shorter(), .protocolViolation), (.gzip, .protocolViolation),
    (.html, .protocolViolation), (.truncated, .transient),
  ]

  @Test(arguments: ranged)
  func `a resumed file comes right from the second mirror`(
    fault: Fault,
    kind: MirrorFault.Kind
  ) async throws {
    let (bad, good) = try shipment.mirrors(fault)
    try shipment.leavePart(shipment.chunks(4))
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.faults(of: 0).first?.kind == kind, "\(outcome.faults(of: 0))")
    let fetched = outcome.report.mirrors.reduce(0) { $0 + $1.goodBytes }
    #expect(fetched == shipment.bytes.count - 4 * Shipment.chunkLength)
  }

  /// Odd but legal, or harmless since bytes decide.
  @Test(arguments: [
    Fault.honest, .ok200, .short206, .etagFlip, .chunked, .gzipNegotiated, .ignoresIfRange,
    .noRange,
    .statusTimes(1, retryAfter: 0), .field(name: "Repr-Digest", value: "sha-256=:AAAA:"),
  ])
  func `a mirror alone suffices`(fault: Fault) async throws {
    let mirror = try shipment.mirror(fault)
    try shipment.leavePart(shipment.chunks(4))
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == nil, "\(outcome.faults(of: 0))")
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `a dead port hands over at once`() async throws {
    let (dead, good) = (try DeadPort(), try shipment.mirror())
    let outcome = try await shipment.fetch(from: [dead.url, good.url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.faults(of: 0) == [.refusedConnection("Connection refused")])
  }

  @Test func `a body cut short is told as such and not as wrong bytes`() async throws {
    let (bad, good) = try shipment.mirrors(.truncated)
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    let fault = try #require(outcome.faults(of: 0).first)
    #expect(
      fault == .closedEarly(received: Self.size * 60 / 100, expected: Self.size)
    )
    #expect(
      fault.description
        == "connection closed after \(Self.size * 60 / 100) of \(Self.size) bytes"
    )
  }

  @Test func `a page is shown by its first bytes`() async throws {
    let (bad, good) = try shipment.mirrors(.html)
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    guard case .html(let firstBytes)? = outcome.faults(of: 0).first else {
      return #expect(Bool(false))
    }
    #expect(firstBytes.utf8.starts(with: "<!".utf8) || firstBytes.utf8.starts(with: "<h".utf8))
  }

  @Test func `one wrong byte costs one chunk, fetched from the other mirror`() async throws {
    let (bad, good) = try shipment.mirrors(.flip(at: 1_000_000))
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    let chunk = 1_000_000 / Shipment.chunkLength
    #expect(
      outcome.events.contains(
        .chunkRefetched(label: "weights.gguf", chunk: chunk, mirror: good.url)
      )
    )
    // What comes until the wrong chunk is hashed is right and stays, or is part of one more chunk.
    let first = outcome.report.mirrors[0]
    #expect(first.goodBytes >= chunk * Shipment.chunkLength)
    #expect(Shipment.chunkLength..<2 * Shipment.chunkLength ~= first.wastedBytes)
    #expect(first.goodBytes + good.bytesSent == shipment.bytes.count)
  }

  @Test func `a refused answer's connection is not used again`() async throws {
    let mirror = try shipment.mirror(.noRange)
    try shipment.leavePart(shipment.chunks(4))
    _ = try await shipment.fetch(from: [mirror.url])
    #expect(mirror.requests.map(\.connection) == [1, 2])
    #expect(mirror.requests.map { $0.range != nil } == [true, false])
  }

  @Test func `every request asks for the bytes as they are and tells who asks`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.chunks(4))
    _ = try await shipment.fetch(from: [mirror.url])
    let request = try #require(mirror.requests.first)
    #expect(request.acceptEncoding == "identity")
    #expect(request.range == "bytes=\(4 * Shipment.chunkLength)-\(Self.size - 1)")
    #expect(request.fields.value("User-Agent") == "sealift/0.0")
    #expect(!request.hasAuthorization && !request.hasCookie && request.extensionFields == [])
  }

  @Test(.rows("E1")) func `progress never falls and ends at the total`() async throws {
    let (bad, good) = try shipment.mirrors(.reset)
    let outcome = try await shipment.fetch(from: [bad.url, good.url])
    let verified = outcome.progress.map(\.verified)
    #expect(verified == verified.sorted())
    #expect(verified.last == Self.size)
    #expect(outcome.progress.allSatisfy { $0.total == Self.size })
  }
}
