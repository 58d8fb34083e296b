import Digests
import Glibc
import SystemFiles
import TestSupport
import Testing
import Transfers

/// Chunks of long files are written past the page cache, wherever they begin and end.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct DirectWriteTests {
  private static let bytes = SampleBytes(seed: 20).prefix(9 << 20 + 77)

  /// The lengths of chunks, repeated to the end of the file.
  enum Cut: CaseIterable, Sendable {
    case whole, byPages, odd, mixed

    var lengths: [Int] {
      switch self {
      case .whole: [16 << 20]
      case .byPages: [1 << 20]
      case .odd: [(1 << 20) + 1]
      case .mixed: [4096, 100, 3996, 8192, 1 << 20, 4095, 1, 2 << 20]
      }
    }

    func table(of bytes: [UInt8]) -> ChunkTable {
      var (table, turn) = (ChunkTable(), 0)
      while table.size < bytes.count {
        let end = min(bytes.count, table.size + lengths[turn % lengths.count])
        let piece = Array(bytes[table.size..<end])
        table.append(length: piece.count, digest: SHA256Digest(of: piece))
        turn += 1
      }
      return table
    }
  }

  @Test(arguments: Cut.allCases)
  func `a long file comes right, however its chunks are cut`(_ cut: Cut) async throws {
    try await fetch(cut)
    let folder = try Folder(path: TemporaryFolder.current)
    #expect(try folder.readFile("0.part", limit: 16 << 20) == Self.bytes)
  }

  @Test func `what was downloaded takes no room in the page cache`() async throws {
    try await fetch(.byPages)
    let path = "\(TemporaryFolder.current)/0.part"
    let found = try Self.cachedPages(of: path)
    // The count itself can see pages.
    let file = try OpenFile(reading: path)
    _ = try file.readBlock(count: Self.bytes.count, at: 0)
    #expect(try Self.cachedPages(of: path) > 1000)
    file.dropCache()
    guard try Self.cachedPages(of: path) == 0 else {
      return print("notice: this file system lies in memory: nothing is written past it")
    }
    #expect(found < 8)
  }

  private func fetch(_ cut: Cut) async throws {
    let mirror = try FaultyMirror(files: ["/weights": Self.bytes])
    let folder = try Folder(path: TemporaryFolder.current)
    var options = Shipment.patient
    options.jobs = 4
    let request = FetchRequest(
      label: "weights",
      name: "0",
      size: Self.bytes.count,
      digest: SHA256Digest(of: Self.bytes),
      chunks: cut.table(of: Self.bytes),
      sources: [FetchSource(mirror: mirror.url, url: "\(mirror.url)/weights")]
    )
    _ = try await Fetcher(options: options).fetch([request], into: folder) { _ in }
    #expect(!mirror.requests.isEmpty)
  }

  /// The pages of the file that are in the page cache now.
  private static func cachedPages(of path: String) throws -> Int {
    let file = try OpenFile(reading: path)
    let count = (bytes.count + 4095) / 4096
    var pages = [UInt8](repeating: 0, count: count)
    let memory = unsafe mmap(nil, bytes.count, PROT_READ, MAP_SHARED, file.descriptor, 0)
    defer { unsafe munmap(memory, bytes.count) }
    #expect(unsafe mincore(memory, bytes.count, &pages) == 0)
    return pages.count { $0 & 1 == 1 }
  }
}
