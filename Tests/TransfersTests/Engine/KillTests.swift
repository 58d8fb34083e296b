import Synchronization
import SystemFiles
import TestSupport
import Testing
import Transfers

/// A process that is killed leaves what the kernel has: the files as they are at that moment.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct KillTests {
  private let shipment = Shipment()

  /// Copies part and journal, as a kill would leave them, once the given number of chunks is verified.
  ///
  /// The short last chunk may come before others, so that no progress is a multiple of the others' length.
  private func killed(after chunks: Int, from url: String) async throws -> String {
    let path = TemporaryFolder.path("killed")
    _ = try Folder(creating: path, mode: 0o700)
    let source = TemporaryFolder.current
    let isCopied = Atomic(false)
    _ = try await shipment.fetch(from: [url]) { event in
      guard case .progress(let progress) = event,
        progress.verified >= chunks * Shipment.chunkLength,
        !isCopied.exchange(true, ordering: .relaxed)
      else { return }
      #expect(throws: Never.self) {
        for name in ["0.part", "0.journal"] {
          guard let bytes = try Folder(path: source).readFile(name, limit: 1 << 30) else {
            continue
          }
          try Folder(path: path).replaceFile(name, with: bytes, mode: 0o600)
        }
      }
    }
    return path
  }

  @Test(arguments: [0, 1, 5, 11])
  func `the next run fetches no verified chunk again`(chunks: Int) async throws {
    let mirror = try shipment.mirror()
    let path = try await killed(after: chunks, from: mirror.url)
    let sent = mirror.bytesSent
    let events = EventLog()
    let folder = try Folder(path: path)
    let report = try await Fetcher(options: shipment.options)
      .fetch([shipment.request(from: [mirror.url])], into: folder) { events.add($0) }
    // The workers may have verified more by the time at which the files are copied.
    #expect(report.resumedBytes >= chunks * Shipment.chunkLength)
    #expect(mirror.bytesSent - sent == Shipment.size - report.resumedBytes)
    #expect(try folder.readFile("0.part", limit: 1 << 30) == shipment.bytes)
  }
}
