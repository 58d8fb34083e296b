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

  @Test(.rows("F3"))
  func `requests that are given up in the middle do no harm to those after them`() async throws {
    let (count, length, chunk) = (300, 96 << 10, 32 << 10)
    let files = (0..<count).map { SampleBytes(seed: UInt64($0)).prefix(length) }
    let served = Dictionary(uniqueKeysWithValues: files.enumerated().map { ("/\($0)", $1) })
    let (slow, quick) = (try FaultyMirror(files: served), try FaultyMirror(files: served))
    slow.rate = 150_000
    let requests = files.enumerated().map { index, bytes in
      var table = ChunkTable()
      for start in stride(from: 0, to: length, by: chunk) {
        table.append(length: chunk, digest: SHA256Digest(of: Array(bytes[start..<start + chunk])))
      }
      return FetchRequest(
        label: "file \(index)",
        name: "\(index)",
        size: length,
        digest: SHA256Digest(of: bytes),
        chunks: table,
        sources: [slow, quick].map { FetchSource(mirror: $0.url, url: $0.url("/\(index)")) }
      )
    }
    var options = Shipment.patient
    options.jobs = 6
    let folder = try Folder(path: TemporaryFolder.current)
    let report = try await Fetcher(options: options).fetch(requests, into: folder) { _ in }
    for (index, bytes) in files.enumerated() {
      #expect(try folder.readFile("\(index).part", limit: 1 << 20) == bytes)
    }
    #expect(report.mirrors.map(\.faults) == [[:], [:]])
    #expect(quick.bytesSent > slow.bytesSent)
    #expect(slow.requests.count > 0 && quick.requests.count > 0)
  }
}
