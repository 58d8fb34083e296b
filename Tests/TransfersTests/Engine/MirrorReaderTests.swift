import Digests
import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct MirrorReaderTests {
  private let shipment = Shipment()

  private func ask(_ chunks: Range<Int>, requestLimit: Int = .max) -> PieceAsk {
    PieceAsk(
      shipment.chunks.chunks[chunks].map(\.range),
      label: "weights.gguf",
      size: shipment.bytes.count,
      digest: shipment.digest,
      requestLimit: requestLimit
    )
  }

  private func digests(_ chunks: Range<Int>) -> [SHA256Digest] {
    shipment.chunks.chunks[chunks].map(\.digest)
  }

  private func read(
    _ ask: PieceAsk,
    _ url: String,
    _ options: FetchOptions? = nil
  ) async throws -> MirrorReading {
    try await Fetcher(options: options ?? shipment.options).withReader { $0.read(ask, from: url) }
  }

  @Test func `only the range of the pieces is asked for, and each piece is hashed`() async throws {
    let mirror = try shipment.mirror()
    let reading = try await read(ask(3..<5), mirror.url(Shipment.path))
    #expect(reading.digests == digests(3..<5))
    #expect(reading.fault == nil)
    #expect(!reading.ignoresRanges)
    #expect(reading.timeToAnswer != nil)
    #expect(reading.received == 2 * Shipment.chunkLength)
    let start = 3 * Shipment.chunkLength
    #expect(reading.beginning == Array(shipment.bytes[start..<start + 4096]))
    let end = 5 * Shipment.chunkLength - 1
    #expect(mirror.requests.map(\.range) == ["bytes=\(start)-\(end)"])
  }

  @Test func `pieces come in as many requests as their limit makes, and in halves of an answer`()
    async throws
  {
    for fault in [Fault.honest, .short206] {
      let mirror = try shipment.mirror(fault)
      let reading = try await read(
        ask(0..<2, requestLimit: Shipment.chunkLength / 2),
        mirror.url(Shipment.path)
      )
      #expect(reading.digests == digests(0..<2))
      #expect(mirror.requests.count >= 4)
    }
  }

  @Test func `a mirror that sends the whole file is stopped after the last piece`() async throws {
    let mirror = try shipment.mirror(.noRange)
    mirror.rate = 1 << 20
    let first = try await read(ask(0..<1), mirror.url(Shipment.path))
    #expect(first.digests == digests(0..<1))
    #expect(first.ignoresRanges)
    #expect(first.received < 3 * Shipment.chunkLength)
    let later = try await read(ask(1..<2), mirror.url(Shipment.path))
    #expect(later.digests == [])
    #expect(later.fault == .noRanges(status: 200))
    withExtendedLifetime(mirror) {}
  }

  @Test func `wrong bytes are no fault of the reading: their digests are told`() async throws {
    let mirror = try shipment.mirror(.flip(at: Shipment.chunkLength + 5))
    let reading = try await read(ask(0..<3), mirror.url(Shipment.path))
    #expect(reading.fault == nil)
    #expect(reading.digests.count == 3)
    #expect(zip(reading.digests, digests(0..<3)).map { $0 == $1 } == [true, false, true])
    withExtendedLifetime(mirror) {}
  }

  @Test func `the way of redirects is told`() async throws {
    let target = try shipment.mirror()
    let mirror = try shipment.mirror(.redirect(to: target.url))
    let reading = try await read(ask(0..<1), mirror.url(Shipment.path))
    #expect(
      reading.hops == [.init(url: target.url(Shipment.path), origin: target.url)]
    )
    #expect(reading.digests == digests(0..<1))
    withExtendedLifetime((mirror, target)) {}
  }

  @Test func `a cut answer leaves the pieces that are whole`() async throws {
    let mirror = try shipment.mirror(.truncated)
    let reading = try await read(ask(0..<4), mirror.url(Shipment.path))
    #expect(reading.digests == digests(0..<2))
    #expect(reading.fault?.kind == .transient)
    withExtendedLifetime(mirror) {}
  }

  @Test func `files of a folder and empty files are read too`() async throws {
    try replaceFile(at: TemporaryFolder.path("w"), with: shipment.bytes, mode: 0o644)
    let reading = try await read(ask(2..<3), "file://\(TemporaryFolder.path("w"))")
    #expect(reading.digests == digests(2..<3))
    let nothing = PieceAsk([], label: "empty", size: 0, digest: .ofNothing)
    let mirror = try FaultyMirror(files: ["/empty": []])
    let empty = try await read(nothing, mirror.url("/empty"))
    #expect(empty.fault == nil)
    #expect(empty.digests == [])
    #expect(mirror.requests.map(\.status) == [200])
    try replaceFile(at: TemporaryFolder.path("e"), with: [1], mode: 0o644)
    let other = try await read(nothing, "file://\(TemporaryFolder.path("e"))")
    #expect(other.fault == .otherSize(announced: 1, expected: 0))
  }

  @Test func `a cancelled reading ends at once and says so`() async throws {
    let mirror = try shipment.mirror(.silence)
    var options = shipment.options
    options.clocks.firstByte = .seconds(600)
    let (ask, url, fetcher) = (ask(0..<1), mirror.url(Shipment.path), Fetcher(options: options))
    let task = Task { try await fetcher.withReader { $0.read(ask, from: url) } }
    await mirror.wait { !$0.isEmpty }
    task.cancel()
    #expect(try await task.value.isCancelled)
    withExtendedLifetime(mirror) {}
  }

  @Test func `authorities that cannot be read are told before anything is asked`() async throws {
    let mirror = try shipment.mirror()
    var options = shipment.options
    options.authorities = TemporaryFolder.path("nothing.pem")
    await #expect(throws: FetchError.self) {
      _ = try await read(ask(0..<1), mirror.url(Shipment.path), options)
    }
    #expect(mirror.requests == [])
  }
}
