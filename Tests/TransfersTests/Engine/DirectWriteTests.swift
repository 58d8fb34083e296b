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

  @Test(arguments: Cut.allCases)
  func `chunks that begin and end with blocks are read back behind the writer`(
    _ cut: Cut
  ) async throws {
    let report = try await fetch(cut)
    let folder = try Folder(path: TemporaryFolder.current)
    let now = try folder.status(of: "0.part")
    let status = try #require(now)
    let found = report.readBack["0"]?.chunks(of: status) ?? []
    guard try canReadBack(in: folder) else {
      #expect(found == [])
      return print("notice: nothing is read back on this file system")
    }
    let chunks = cut.table(of: Self.bytes).chunks
    let expected = chunks.indices.filter {
      chunks[$0].offset.isMultiple(of: 4096) && chunks[$0].length.isMultiple(of: 4096)
    }
    #expect(found == Set(expected))
    #expect(expected.isEmpty == (cut == .whole || cut == .odd))
    // Written once more, it is to be read once more.
    let file = try folder.openFileForWriting("0.part")
    try file.write(Self.bytes.span.extracting(first: 1), at: 0)
    let later = try file.status()
    #expect(report.readBack["0"]?.chunks(of: later) ?? [] == [])
  }

  @Test func `nothing counts as read back if anybody opened the part meanwhile`() async throws {
    let path = "\(TemporaryFolder.current)/0.part"
    let (mirror, leader) = (try Self.mirror(), try FaultyMirror())
    mirror.answer(after: leader)
    async let fetched = fetch(.byPages, from: mirror)
    await mirror.wait { !$0.isEmpty }
    #expect(throws: Never.self) { _ = try OpenFile(reading: path) }
    _ = try WireClient(port: leader.port).request("/")
    #expect(try await fetched.readBack == [:])
    #expect(!leader.requests.isEmpty)
  }

  @Test func `a part that somebody had open already is not read back`() async throws {
    let folder = try Folder(path: TemporaryFolder.current)
    let other = try folder.createFile("0.part", mode: 0o600)
    let report = try await fetch(.byPages)
    #expect(report.readBack == [:])
    _ = consume other
  }

  /// Whether the file system lets files be written past the cache, and tells whether others have them open.
  private func canReadBack(in folder: borrowing Folder) throws -> Bool {
    let file = try folder.createFile("trial", mode: 0o600)
    guard try folder.fileSystemKind() == .disk, try file.goesPastPageCache() else { return false }
    guard file.isOursAlone() else { return false }
    switch try folder.openFileForDirectWriting("trial") {
    case .some: return true
    case .none: return false
    }
  }

  private static func mirror() throws -> FaultyMirror {
    try FaultyMirror(files: ["/weights": bytes])
  }

  @discardableResult
  private func fetch(
    _ cut: Cut,
    from mirror: FaultyMirror? = nil
  ) async throws -> FetchReport {
    let mirror = try mirror ?? Self.mirror()
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
    let report = try await Fetcher(options: options).fetch([request], into: folder) { _ in }
    #expect(!mirror.requests.isEmpty)
    return report
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
