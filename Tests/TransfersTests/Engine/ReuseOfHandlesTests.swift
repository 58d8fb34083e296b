import Digests
import SystemFiles
import TestSupport
import Testing
import Transfers

/// What one request leaves behind is of no consequence to those after it.
@Suite(.temporaryFolder, .timeLimit(.minutes(2)))
struct ReuseOfHandlesTests {
  @Test(.rows("E5"))
  func `a hundred requests follow a dead connection, and no clock of it goes on`() async throws {
    var options = Shipment.hasty.options
    options.clocks.giveUp = .seconds(20)
    let files = (0..<100).map { SampleBytes(seed: UInt64($0)).prefix(20_000) }
    let mirror = try FaultyMirror(
      files: Dictionary(uniqueKeysWithValues: files.enumerated().map { ("/\($0)", $1) }),
      .stall(after: 100)
    )
    let requests = files.enumerated().map { index, bytes in
      FetchRequest(
        label: "file \(index)",
        name: "\(index)",
        size: bytes.count,
        digest: SHA256Digest(of: bytes),
        chunks: nil,
        sources: [FetchSource(mirror: mirror.url, url: mirror.url("/\(index)"))]
      )
    }
    let events = EventLog()
    let folder = try Folder(path: TemporaryFolder.current)
    _ = try await Fetcher(options: options).fetch(requests, into: folder) { event in
      events.add(event)
      // From the first fault on, the mirror is honest and so slow that a clock left running would strike.
      guard case .mirrorFault = event else { return }
      mirror.set(.honest)
      mirror.rate = 400_000
    }
    let faults = events.all.filter { if case .mirrorFault = $0 { true } else { false } }
    #expect((1...8).contains(faults.count), "\(faults)")
    for (index, bytes) in files.enumerated() {
      #expect(try folder.readFile("\(index).part", limit: 1 << 20) == bytes)
    }
    #expect(mirror.requests.count >= 101)
  }
}
