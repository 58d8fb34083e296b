import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct DocumentTests {
  private static let document = Array("{\"a\": 1}".utf8)

  private func fetch(
    _ url: String,
    limit: Int = 100,
    options: FetchOptions = Shipment.patient
  ) async throws(FetchError) -> [UInt8] {
    try await Fetcher(options: options).fetchDocument(url, limit: limit)
  }

  private func mirror(_ fault: Fault = .honest) throws -> FaultyMirror {
    try FaultyMirror(files: ["/m.json": Self.document], fault)
  }

  @Test(arguments: [Fault.honest, .chunked, .statusTimes(1, retryAfter: 0), .noRange])
  func `a document comes as it is`(fault: Fault) async throws {
    let mirror = try mirror(fault)
    #expect(try await fetch(mirror.url("/m.json")) == Self.document)
  }

  @Test func `a document comes from a folder`() async throws {
    try replaceFile(at: TemporaryFolder.path("m.json"), with: Self.document, mode: 0o644)
    #expect(try await fetch("file://\(TemporaryFolder.path("m.json"))") == Self.document)
  }

  @Test func `redirects are followed`() async throws {
    let target = try mirror()
    let mirror = try mirror(.redirect(to: target.url))
    #expect(try await fetch(mirror.url("/m.json")) == Self.document)
    #expect(target.requests.count == 1)
  }

  @Test(arguments: [
    (Fault.html, FetchError.Kind.protocolViolation), (.gzip, .protocolViolation),
    (.status(404), .missing), (.status(403), .auth), (.status(500), .network),
    (.redirectLoop, .protocolViolation), (.silence, .network), (.truncated, .network),
    (.endlessBody, .protocolViolation),
  ])
  func `a fault is told by its class`(fault: Fault, kind: FetchError.Kind) async throws {
    let mirror = try mirror(fault)
    do {
      _ = try await fetch(mirror.url("/m.json"), options: Shipment.hasty.options)
      #expect(Bool(false), "a document came")
    } catch {
      #expect(error.kind == kind)
      #expect(error.report.mirrors.first?.lastFault != nil)
    }
  }

  @Test func `a server that asks for more time than there is gets no second request`() async throws
  {
    let mirror = try mirror(.statusTimes(1, retryAfter: 20))
    var options = Shipment.patient
    options.clocks.giveUp(after: .seconds(5))
    do {
      _ = try await fetch(mirror.url("/m.json"), options: options)
      #expect(Bool(false), "a document came")
    } catch {
      #expect(error.kind == .network)
      #expect(mirror.requests.count == 1)
    }
  }

  @Test(arguments: [Fault.honest, .chunked])
  func `a document over the limit is refused, announced or not`(fault: Fault) async throws {
    let mirror = try mirror(fault)
    #expect(try await fetch(mirror.url("/m.json"), limit: Self.document.count) == Self.document)
    do {
      _ = try await fetch(mirror.url("/m.json"), limit: Self.document.count - 1)
      #expect(Bool(false), "a document came")
    } catch {
      #expect(error.report.mirrors.first?.lastFault == .tooLong(limit: Self.document.count - 1))
    }
  }

  @Test func `the query of a URL is never told`() async throws {
    let mirror = try mirror(.status(404))
    do {
      _ = try await fetch("http://u:p@127.0.0.1:\(mirror.port)/m.json?token=secret")
      #expect(Bool(false), "a document came")
    } catch {
      #expect(error.label == mirror.url("/m.json"))
      #expect(error.report.mirrors.map(\.name) == [mirror.url("/m.json")])
    }
  }
}
