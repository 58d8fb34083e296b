import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct DocumentReaderTests {
  private static let document = Array("{\"a\": 1}".utf8)

  private func ask(_ url: String, _ change: (inout DocumentAsk) -> Void = { _ in }) -> DocumentAsk {
    var ask = DocumentAsk(url, limit: 1 << 20)
    change(&ask)
    return ask
  }

  /// Reads on a thread of the fetcher; the fault in place of bytes.
  private func read(_ asks: [DocumentAsk]) async throws -> [Result<[UInt8]?, MirrorFault>] {
    try await Fetcher(options: Shipment.patient).withDocuments { reader in
      asks.map { ask in
        do throws(MirrorFault) { return .success(try reader.read(ask)) } catch {
          return .failure(error)
        }
      }
    }
  }

  @Test func `documents come one after the other over one connection`() async throws {
    let mirror = try FaultyMirror(files: ["/a": Self.document, "/b": [1, 2]])
    let read = try await read([ask(mirror.url("/a")), ask(mirror.url("/b")), ask(mirror.url("/c"))])
    #expect(
      read == [.success(Self.document), .success([1, 2]), .failure(.missing(status: 404))]
    )
    #expect(mirror.requests.map(\.path) == ["/a", "/b", "/c"])
    #expect(Set(mirror.requests.map(\.connection)).count == 1)
  }

  @Test func `a mirror that trickles is left when the time for the whole document is over`()
    async throws
  {
    let mirror = try FaultyMirror(
      files: ["/a": [UInt8](repeating: 1, count: 1 << 20)],
      .slow(bytesPerSecond: 4_000)
    )
    let asked = ask(mirror.url("/a")) {
      $0.time = .seconds(2)
      $0.attempts = 1
    }
    #expect(try await read([asked]) == [.failure(.timedOut(.whole, after: .seconds(2)))])
    #expect(mirror.requests.count == 1)
  }

  @Test(arguments: [1, 2])
  func `a fault that may pass is met with as many requests as are wanted`(attempts: Int)
    async throws
  {
    let mirror = try FaultyMirror(files: ["/a": Self.document], .statusTimes(1, status: 500))
    let read = try await read([ask(mirror.url("/a")) { $0.attempts = attempts }])
    #expect(read == [attempts == 1 ? .failure(.status(500)) : .success(Self.document)])
    #expect(mirror.requests.count == attempts)
  }

  @Test func `a page is what is wanted where the name says so`() async throws {
    let mirror = try FaultyMirror(files: ["/a": Self.document], .html)
    let (plain, page) = (
      ask(mirror.url("/a")) { $0.attempts = 1 },
      ask(mirror.url("/a")) { $0.label = "docs/a.html" }
    )
    let read = try await read([plain, page])
    guard case .failure(.html) = read[0], case .success(let bytes?) = read[1] else {
      Issue.record("\(read)")
      return
    }
    #expect(bytes.count == 2520)
    #expect(mirror.requests.count == 2)
  }
}
