import Glibc
import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct LocalMirrorTests {
  private let shipment = Shipment()

  private func serve(_ bytes: [UInt8], in name: String) throws -> String {
    let path = TemporaryFolder.path(name)
    let folder = try Folder(creating: "\(path)/blobs", mode: 0o755)
    let file = try folder.createFile("weights.gguf", mode: 0o644)
    try file.write(bytes.span, at: 0)
    return "file://" + path.split(separator: " ").joined(separator: "%20")
  }

  @Test(arguments: [true, false])
  func `a folder is a mirror, resumed like any other`(hasChunks: Bool) async throws {
    let url = try serve(shipment.bytes, in: "my mirror")
    try shipment.leavePart(shipment.chunks(2))
    try shipment.leaveJournal(
      hasChunks ? [0, 1] : [2 * Shipment.chunkLength],
      hasChunks: hasChunks
    )
    let outcome = try await shipment.fetch(from: [url], hasChunks: hasChunks)
    #expect(outcome.error == nil, "\(outcome.faults(of: 0))")
    #expect(outcome.resumed == 2 * Shipment.chunkLength)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `a missing file, a wrong size and wrong bytes hand over to the next mirror`()
    async throws
  {
    var wrong = shipment.bytes
    wrong[700_000] ^= 1
    let urls = [
      "file:///nonexistent", try serve(shipment.chunks(2), in: "short"),
      try serve(wrong, in: "wrong"),
      try serve(shipment.bytes, in: "right"),
    ]
    let outcome = try await shipment.fetch(from: urls)
    #expect(outcome.error == nil)
    #expect(try shipment.part() == shipment.bytes)
    #expect(
      (0..<4).map { outcome.faults(of: $0).map(\.kind) } == [
        [.missing], [.protocolViolation], [.integrity], [],
      ]
    )
  }

  @Test func `a folder in place of a file is a fault of the mirror`() async throws {
    let path = TemporaryFolder.path("odd")
    _ = try Folder(creating: "\(path)\(Shipment.path)", mode: 0o755)
    let outcome = try await shipment.fetch(from: ["file://\(path)"])
    #expect(outcome.error == .protocolViolation)
  }

  @Test func `a folder and a pipe are no regular file`() async throws {
    let path = TemporaryFolder.path("pipe")
    _ = try Folder(creating: "\(path)/blobs", mode: 0o755)
    #expect(unsafe mkfifo("\(path)\(Shipment.path)", 0o644) == 0)
    let outcome = try await shipment.fetch(from: ["file://\(path)"])
    #expect(outcome.faults(of: 0) == [.notAFile])
    #expect(outcome.faults(of: 0)[0].description == "is no regular file")
  }

  @Test func `a rate limit is one for local files and connections together`() async throws {
    var shipment = shipment
    shipment.options.jobs = 2
    shipment.options.limitRate = 2 << 20
    let (mirror, local) = (try shipment.mirror(), try serve(shipment.bytes, in: "local"))
    let start = ContinuousClock.now
    let outcome = try await shipment.fetch(from: [local, mirror.url])
    #expect(outcome.error == nil, "\(outcome.faults(of: 0))")
    // 3 MiB at 2 MiB a second, less what one read may overdraw.
    #expect(ContinuousClock.now - start > .milliseconds(1100))
  }
}
