import SystemFiles
import TestSupport
import Testing
import Transfers

/// What an earlier run left is used as far as it is right, and never believed.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ResumeTests {
  private let shipment = Shipment()
  private static let size = Shipment.size

  private func names() throws -> [String] {
    try Folder(path: TemporaryFolder.current).entries().map(\.name)
  }

  @Test(.rows("A9"))
  func `a finished part needs no request, with or without a journal`() async throws {
    let mirror = try shipment.mirror()
    _ = try await shipment.fetch(from: [mirror.url])
    #expect(try names() == ["0.part"])
    let again = try await shipment.fetch(from: [mirror.url])
    #expect(again.error == nil)
    #expect(again.resumed == Self.size)
    #expect(mirror.requests.count == 1)
    try shipment.leaveJournal(Array(0..<13))
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(mirror.requests.count == 1)
  }

  @Test func `a cancelled fetch ends soon and the next one fetches only what is missing`()
    async throws
  {
    let mirror = try shipment.mirror(.stall(after: 5 * Shipment.chunkLength + 99))
    let shipment = shipment
    let task = Task { try await shipment.fetch(from: [mirror.url]) }
    #expect(await mirror.wait { $0.first?.bytesSent ?? 0 == 5 * Shipment.chunkLength + 99 })
    let cancelled = ContinuousClock.now
    task.cancel()
    let first = try await task.value
    #expect(first.error == .cancelled)
    // Below the 30 s of silence that the clocks allow, and within reach of a machine that runs all tests at once.
    #expect(ContinuousClock.now - cancelled < .seconds(25))
    mirror.set(.honest)
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(try shipment.part() == shipment.bytes)
    #expect(outcome.resumed == first.report.mirrors[0].goodBytes)
    #expect(outcome.report.mirrors[0].goodBytes == Self.size - outcome.resumed)
  }

  @Test func `a damaged chunk of the part is found and fetched alone`() async throws {
    let mirror = try shipment.mirror()
    var left = shipment.bytes
    left[5 * Shipment.chunkLength + 17] ^= 1
    try shipment.leavePart(left)
    try shipment.leaveJournal(Array(0..<13))
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(mirror.bytesSent == Shipment.chunkLength)
  }

  @Test func `a journal that claims more than is there is not believed`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.chunks(3))
    try shipment.leaveJournal([0, 1, 2, 3, 4, 12, 500, .max])
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed == 3 * Shipment.chunkLength)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test(.rows("E7"), arguments: [false, true])
  func `without a journal that can be read, what was written is looked at`(isDamaged: Bool)
    async throws
  {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.chunks(6))
    if isDamaged {
      let file = try Folder(path: TemporaryFolder.current).createFile("0.journal", mode: 0o600)
      try file.write(Array("sealift part 9\n".utf8).span, at: 0)
    }
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed == 6 * Shipment.chunkLength)
    #expect(try shipment.part() == shipment.bytes)
    #expect(try names() == ["0.part"])
  }

  @Test func `a journal goes on where an earlier run ended it`() async throws {
    let bad = try shipment.mirror(.flip(at: 6 * Shipment.chunkLength))
    try shipment.leavePart(shipment.chunks(3))
    try shipment.leaveJournal([0, 1, 2])
    #expect(try await shipment.fetch(from: [bad.url]).error == .integrity)
    let good = try shipment.mirror()
    #expect(try await shipment.fetch(from: [good.url]).resumed >= 6 * Shipment.chunkLength)
  }

  @Test func `a part that is longer than the file is replaced`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.bytes + [0])
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `another mirror may finish what one began`() async throws {
    let first = try shipment.mirror(.reset)
    _ = try await Shipment.hasty.fetch(from: [first.url])
    let second = try shipment.mirror()
    let outcome = try await shipment.fetch(from: [second.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed > 0)
    #expect(second.bytesSent == Self.size - outcome.resumed)
  }

  @Test func `a chunk cut in two comes in two parts and no byte comes twice`() async throws {
    let (first, second) = (try shipment.mirror(.truncated), try shipment.mirror())
    let outcome = try await shipment.fetch(from: [first.url, second.url])
    #expect(outcome.error == nil)
    #expect(first.bytesSent + second.bytesSent == Self.size)
    #expect(outcome.report.mirrors.map(\.wastedBytes) == [0, 0])
  }

  @Test func `a part that was made read-only goes on`() async throws {
    let mirror = try shipment.mirror()
    try shipment.leavePart(shipment.chunks(3))
    try shipment.leaveJournal([0, 1, 2])
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.openFile("0.part").setMode(0o444)
    let outcome = try await shipment.fetch(from: [mirror.url])
    #expect(outcome.error == nil)
    #expect(outcome.resumed == 3 * Shipment.chunkLength)
    // Whoever may do all can write it as it is; others could not.
    #expect(try folder.status(of: "0.part")?.mode == 0o600)
  }
}
