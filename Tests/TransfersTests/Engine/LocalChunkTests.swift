import Digests
import Glibc
import SystemFiles
import TestSupport
import Testing
import Transfers

/// Chunks that other files of this machine should have are taken from there if they are right.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct LocalChunkTests {
  private let shipment = Shipment()

  /// Another file that has these chunks, each after 99 bytes that mean nothing.
  private func leave(_ chunks: [Int], spoiling: Set<Int> = []) throws -> [LocalChunk] {
    let path = TemporaryFolder.path("other")
    var bytes: [UInt8] = []
    var places: [LocalChunk] = []
    for chunk in chunks {
      bytes += [UInt8](repeating: 9, count: 99)
      places.append(LocalChunk(chunk: chunk, path: path, offset: bytes.count))
      bytes += shipment.bytes[shipment.chunks.chunks[chunk].range]
      if spoiling.contains(chunk) { bytes[bytes.count - 1] ^= 1 }
    }
    try replaceFile(at: path, with: bytes, mode: 0o644)
    return places
  }

  private func fetch(
    _ places: [LocalChunk],
    _ mirror: FaultyMirror
  ) async throws -> (FetchReport, [FetchEvent]) {
    var request = shipment.request(from: [mirror.url])
    request.localChunks = places
    let events = EventLog()
    let folder = try Folder(path: TemporaryFolder.current)
    let report = try await Fetcher(options: shipment.options)
      .fetch([request], into: folder) { events.add($0) }
    return (report, events.all)
  }

  @Test func `what is right on this machine is not fetched`() async throws {
    let mirror = try shipment.mirror()
    let (report, events) = try await fetch(try leave([0, 3, 12]), mirror)
    let bytes = 2 * Shipment.chunkLength + 123
    #expect(report.reusedBytes == bytes)
    #expect(mirror.bytesSent == Shipment.size - bytes)
    #expect(events.contains(.reused(label: "weights.gguf", bytes: bytes)))
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `what is wrong or missing there is fetched`() async throws {
    let mirror = try shipment.mirror()
    let missing = LocalChunk(chunk: 5, path: TemporaryFolder.path("none"), offset: 0)
    let places = try leave([0, 3], spoiling: [3]) + [missing]
    let (report, _) = try await fetch(places, mirror)
    #expect(report.reusedBytes == Shipment.chunkLength)
    #expect(mirror.bytesSent == Shipment.size - Shipment.chunkLength)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `a place that fails in the middle of a chunk spoils no other chunk`() async throws {
    let mirror = try shipment.mirror()
    let memory = try HalfReadableMemory()
    let places = (0..<12).map {
      LocalChunk(chunk: $0, path: "/proc/self/mem", offset: memory.address)
    }
    let (report, _) = try await fetch(places, mirror)
    withExtendedLifetime(memory) {}
    #expect(report.mirrors[0].faults == [:])
    #expect(mirror.bytesSent == Shipment.size)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `of several places of a chunk the first one that is right serves`() async throws {
    let mirror = try shipment.mirror()
    let missing = LocalChunk(chunk: 5, path: TemporaryFolder.path("none"), offset: 0)
    let places = try [missing] + leave([3, 5, 3], spoiling: []) + leave([5])
    // The second file has taken the place of the first, so only its last place is right.
    let (report, _) = try await fetch(places, mirror)
    #expect(report.reusedBytes == Shipment.chunkLength)
    #expect(mirror.bytesSent == Shipment.size - Shipment.chunkLength)
    #expect(try shipment.part() == shipment.bytes)
  }

  @Test func `with all chunks there no mirror is asked`() async throws {
    let mirror = try shipment.mirror()
    let (report, _) = try await fetch(try leave(Array(0..<13)), mirror)
    #expect(report.reusedBytes == Shipment.size)
    #expect(mirror.requests == [])
    #expect(try shipment.part() == shipment.bytes)
  }
}

/// Memory over a file of half its length: the other half is there and cannot be read.
private final class HalfReadableMemory {
  private static let half = Shipment.chunkLength / 2
  let address: Int

  init() throws {
    let path = TemporaryFolder.path("half")
    try replaceFile(at: path, with: [UInt8](repeating: 7, count: Self.half), mode: 0o600)
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let start = unsafe mmap(nil, 2 * Self.half, PROT_READ, MAP_PRIVATE, file, 0)
    address = Int(bitPattern: start)
    try #require(address != -1)
  }

  deinit { unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), 2 * Self.half) }
}
