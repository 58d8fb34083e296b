import Digests
import Foundation
import Glibc
import Manifests
import ModelStore
import ReleaseSimulator
import Synchronization
import SystemFiles
import TestSupport
import Testing
import Trust
import Verification

/// What the transfer has read back is not read again before a file gets its final name; all else is.
@Suite(.temporaryFolder)
struct ReadBackTests {
  private let bench: Bench
  private let release: SimulatedRelease
  /// The place of the file in the release, and of its part.
  private let index = 1

  init() throws {
    bench = try Bench()
    release = try .tiny()
  }

  /// Seals a file with a wrong last byte of which these chunks were read back, after `change`.
  private func problem(
    readBack: (Range<Int>) -> [Int],
    depth: FileCheck.Depth = .everyByte,
    change: (String) throws -> Void = { _ in },
    whileReading: @Sendable (String) -> Void = { _ in }
  ) throws -> FileProblem? {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    try bench.fill(candidate, from: release)
    let path = bench.place("staging/\(try bench.name(of: release).text)/parts/\(index).part")
    try rewrite(path) { $0[$0.count - 1] ^= 1 }
    let status = try OpenFile(reading: path).status()
    while !status.showsNextChange {}
    let table = try #require(candidate.accepted.release.files[index].chunks)
    let times = readBack(table.chunks.indices).map { ($0, ContinuousClock.now) }
    let known = ReadBack(status, Dictionary(uniqueKeysWithValues: times))
    try change(path)
    let name = Candidate.transferName(index)
    let done = Mutex(0)
    let problems = try candidate.seal([index], depth: depth, readBack: [name: known]) { count in
      if done.withLock({
        $0 += count; return $0 == count
      }) {
        whileReading(path)
      }
      return true
    }
    if problems.isEmpty { #expect(done.withLock { $0 } == table.size) }
    return problems.first?.problem
  }

  @Test func `what was read back is not read again`() throws {
    #expect(try problem(readBack: Array.init) == nil)
  }

  @Test func `what was not read back is read`() throws {
    let table = try #require(try bench.accepted(release).release.files[index].chunks)
    #expect(table.chunks.count > 1)
    let last = try #require(table.chunks.last)
    #expect(try problem { Array($0.dropLast()) } == .wrongChunks([last]))
    #expect(try problem { _ in [] } == .wrongChunks([last]))
  }

  @Test func `a file that was written since is read as a whole`() throws {
    let change: (String) throws -> Void = { path in
      let folder = try Folder(path: (path as NSString).deletingLastPathComponent)
      let file = try folder.openFileForWriting((path as NSString).lastPathComponent)
      let first = try file.readBlock(count: 1, at: 0)
      try file.write(first.span, at: 0)
    }
    #expect(try problem(readBack: Array.init, change: change) != nil)
  }

  @Test func `another file of that name is read as a whole`() throws {
    let change: (String) throws -> Void = { path in
      let bytes = try Data(contentsOf: URL(filePath: path))
      try FileManager.default.removeItem(atPath: path)
      try bytes.write(to: URL(filePath: path))
    }
    #expect(try problem(readBack: Array.init, change: change) != nil)
  }

  @Test func `where the digest of the whole file is compared, the fault is that of the disk`()
    throws
  {
    let found = try problem(readBack: Array.init, depth: .everyByteAndWhole)
    guard case .wrongChunks? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `a file that somebody has open is read as a whole`() throws {
    var other: FileHandle?
    let found = try problem(
      readBack: Array.init,
      change: { other = FileHandle(forReadingAtPath: $0) }
    )
    #expect(found != nil)
    try #require(other).close()
  }

  @Test func `a file that is changed while its other chunks are read is read as a whole`() throws {
    let found = try problem(
      readBack: { Array($0.dropFirst()) },
      whileReading: { #expect(unsafe chmod($0, 0o644) == 0) }
    )
    #expect(found != nil)
  }
}
