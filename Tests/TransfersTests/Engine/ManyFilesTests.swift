import Digests
import SystemFiles
import TestSupport
import Testing
import Transfers

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ManyFilesTests {
  private static let files = (0..<5).map { SampleBytes(seed: UInt64($0)).prefix($0 * 1000) }

  private func requests(_ urls: [String]) -> [FetchRequest] {
    Self.files.enumerated().map { index, bytes in
      FetchRequest(
        label: "file \(index)",
        name: "\(index)",
        size: bytes.count,
        digest: SHA256Digest(of: bytes),
        chunks: nil,
        sources: urls.map { FetchSource(mirror: $0, url: "\($0)/\(index)") }
      )
    }
  }

  private func mirror() throws -> FaultyMirror {
    let files = Self.files.enumerated().map { ("/\($0)", $1) }
    return try FaultyMirror(files: Dictionary(uniqueKeysWithValues: files))
  }

  @Test func `files come one after another over one connection, empty ones without a request`()
    async throws
  {
    let mirror = try mirror()
    let folder = try Folder(path: TemporaryFolder.current)
    let events = EventLog()
    let report = try await Fetcher(options: Shipment.patient)
      .fetch(requests([mirror.url]), into: folder) { events.add($0) }
    for (index, bytes) in Self.files.enumerated() {
      #expect(try folder.readFile("\(index).part", limit: 1 << 20) == bytes)
    }
    // Two workers open the parts, and a file is asked for once its part is open.
    #expect(mirror.requests.map(\.path).sorted() == ["/1", "/2", "/3", "/4"])
    #expect(Set(mirror.requests.map(\.connection)) == [1])
    #expect(report.mirrors.map(\.goodBytes) == [10_000])
    guard case .verified = events.all.last else { return #expect(Bool(false)) }
    #expect(
      events.all.contains(.progress(FetchProgress(verified: 10_000, pending: 0, total: 10_000)))
    )
  }

  @Test func `a mirror without one file is the first again for the next`() async throws {
    let (first, second) = (try mirror(), try mirror())
    first.remove("/2")
    let folder = try Folder(path: TemporaryFolder.current)
    let report = try await Fetcher(options: Shipment.patient)
      .fetch(requests([first.url, second.url]), into: folder) { _ in }
    #expect(second.requests.map(\.path) == ["/2"])
    #expect(report.mirrors[0].faults == [.missing: 1])
  }

  @Test func `an empty file of another digest is refused without a request`() async throws {
    let mirror = try mirror()
    let request = FetchRequest(
      label: "empty",
      name: "empty",
      size: 0,
      digest: SHA256Digest(of: [1]),
      chunks: nil,
      sources: [FetchSource(mirror: mirror.url, url: mirror.url("/1"))]
    )
    let folder = try Folder(path: TemporaryFolder.current)
    do {
      _ = try await Fetcher(options: Shipment.patient).fetch([request], into: folder) { _ in }
      #expect(Bool(false), "an empty file was taken")
    } catch {
      #expect(error.kind == .integrity)
      #expect(error.label == "empty")
    }
    #expect(mirror.requests == [])
  }

  @Test func `a file that the disk has no room for ends the fetch and leaves no part`() async throws
  {
    let mirror = try mirror()
    let request = FetchRequest(
      label: "huge",
      name: "huge",
      size: 1 << 56,
      digest: SHA256Digest(of: [1]),
      chunks: nil,
      sources: [FetchSource(mirror: mirror.url, url: mirror.url("/1"))]
    )
    let folder = try Folder(path: TemporaryFolder.current)
    do {
      _ = try await Fetcher(options: Shipment.patient).fetch([request], into: folder) { _ in }
      #expect(Bool(false), "there was room")
    } catch {
      guard case .local(let cause) = error.kind else { return #expect(Bool(false), "\(error)") }
      #expect(cause.call == "fallocate")
    }
    #expect(try folder.entries() == [])
    #expect(mirror.requests == [])
  }
}
