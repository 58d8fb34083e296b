import SystemFiles
import TestSupport
import Testing
import Transfers

/// Files without a chunk table: one stream, verified as a whole.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct WholeFileTests {
  private let shipment = Shipment()
  private static let size = Shipment.size

  private func fetch(_ urls: [String]) async throws -> Outcome {
    try await shipment.fetch(from: urls, hasChunks: false)
  }

  @Test func `a file comes and is verified at its end`() async throws {
    let mirror = try shipment.mirror()
    let outcome = try await fetch([mirror.url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(
      outcome.progress.last == FetchProgress(verified: Self.size, pending: 0, total: Self.size)
    )
    #expect(outcome.progress.contains { $0.pending > 0 && $0.verified == 0 })
  }

  @Test(arguments: [
    (Fault.flip(at: 1_000_000), MirrorFault.Kind.integrity), (.zeros, .integrity),
    (.truncated, .transient), (.reset, .transient), (.html, .protocolViolation),
    (.gzip, .protocolViolation), (.stall(after: 300_000), .transient), (.status(404), .missing),
  ])
  func `the second mirror makes good what the first does wrong`(
    fault: Fault,
    kind: MirrorFault.Kind
  ) async throws {
    var shipment = shipment
    if fault == .stall(after: 300_000) { shipment.options.clocks = Shipment.hasty.options.clocks }
    let (bad, good) = (try shipment.mirror(fault), try shipment.mirror())
    let outcome = try await shipment.fetch(from: [bad.url, good.url], hasChunks: false)
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.faults(of: 0).first?.kind == kind)
    #expect(outcome.faults(of: 1) == [])
  }

  @Test func `a cut stream goes on where it ended, from another mirror`() async throws {
    let (first, second) = (try shipment.mirror(.truncated), try shipment.mirror())
    #expect(try await fetch([first.url, second.url]).error == nil)
    #expect(second.requests.map(\.range) == ["bytes=\(Self.size * 60 / 100)-\(Self.size - 1)"])
  }

  @Test func `a file made of two mirrors' bytes that is wrong blames neither and comes whole`()
    async throws
  {
    let first = try shipment.mirror(.truncated)
    first.serve(Array(shipment.bytes.reversed()), at: Shipment.path)
    let second = try shipment.mirror()
    let outcome = try await fetch([first.url, second.url])
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.faults(of: 1) == [])
    #expect(second.requests.map { $0.range == nil } == [false, true])
  }

  @Test func `wrong bytes from every mirror are an integrity failure`() async throws {
    let mirrors = [try shipment.mirror(.zeros), try shipment.mirror(.flip())]
    #expect(try await fetch(mirrors.map(\.url)).error == .integrity)
    #expect(mirrors.map(\.requests.count) == [1, 1])
  }

  @Test func `a cancelled fetch goes on from what is on disk`() async throws {
    let mirror = try shipment.mirror(.stall(after: 1_300_000))
    let task = Task { try await fetch([mirror.url]) }
    // What was sent is not yet what has arrived.
    let first = shipment.chunks(1)
    #expect(try await eventually { try shipment.part()?.starts(with: first) ?? false })
    task.cancel()
    #expect(try await task.value.error == .cancelled)
    mirror.set(.honest)
    let outcome = try await fetch([mirror.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed > 0)
    #expect(mirror.requests.last?.range == "bytes=\(outcome.resumed)-\(Self.size - 1)")
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `a part that was damaged meanwhile is fetched anew and no mirror is blamed`()
    async throws
  {
    let mirror = try shipment.mirror()
    var left = shipment.chunks(4)
    left[99] ^= 1
    try shipment.leavePart(left)
    try shipment.leaveJournal([4 * Shipment.chunkLength], hasChunks: false)
    let outcome = try await fetch([mirror.url])
    #expect(outcome.error == nil)
    #expect(outcome.faults(of: 0) == [])
    #expect(try shipment.part() == shipment.bytes)
    #expect(mirror.requests.count == 2)
  }

  @Test(.rows("A9"))
  func `a journal that claims more than is there costs one more fetch`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.chunks(4))
    try shipment.leaveJournal([Self.size + 5], hasChunks: false)
    #expect(try await fetch([mirror.url]).error == nil)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `a finished part needs no request`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.bytes)
    let outcome = try await fetch([mirror.url])
    #expect(outcome.error == nil)
    #expect(mirror.requests == [])
    #expect(outcome.progress.last?.verified == Self.size)
  }
}
