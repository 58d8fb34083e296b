import Auditing
import Digests
import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import Synchronization
import TestSupport
import Testing
import Trust

/// Counts steps, on any thread.
private final class Countdown: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(_ limit: Int) { self.limit = limit }

  var steps: Int { count.load(ordering: .relaxed) }
  var isOver: Bool { steps >= limit }

  func step() { count.add(1, ordering: .relaxed) }
}

/// Audits of a folder in this process: samples, deadlines, resuming.
@Suite(.temporaryFolder)
struct FolderAuditTests {
  private let signer: SimulatedSigner
  private let release: SimulatedRelease
  private let folder: String

  init() throws {
    signer = try SimulatedSigner("release")
    release = try SimulatedRelease(
      files: [
        SimulatedFile("a.bin", SampleBytes(seed: 1).prefix(100_000), chunkLength: 10_000),
        SimulatedFile("b.bin", SampleBytes(seed: 2).prefix(100), chunkLength: nil),
        SimulatedFile("c.bin", SampleBytes(seed: 3).prefix(35_000), chunkLength: 10_000),
      ]
    )
    folder = TemporaryFolder.path("release")
    try release.write(to: folder)
  }

  private func request(_ mode: AuditMode = .full) throws -> AuditRequest {
    var request = AuditRequest(
      judgedAt: try Timestamp("2026-11-30T00:00:00Z"),
      policy: try .trusting([signer]),
      statements: []
    )
    request.mode = mode
    return request
  }

  private func audit(_ request: AuditRequest, _ pace: AuditPace = AuditPace()) throws -> AuditResult
  {
    try Auditor(request, pace: pace)
      .audit(Folder(path: folder), manifest: release.manifest(signedBy: [signer]))
  }

  private func files(_ result: AuditResult) throws -> [AuditedFile] {
    try #require(result.models.first?.versions.first).files
  }

  /// The chunks that were found to be right, by file; a file without a table is chunk 0.
  private func verified(_ result: AuditResult) throws -> [String: Set<Int>] {
    var verified: [String: Set<Int>] = [:]
    for file in try files(result) {
      verified[file.path] =
        file.chunks.isEmpty
        ? (file.bytesHashed > 0 ? [0] : [])
        : Set(file.chunks.indices.filter { file.chunks[$0] == .verified })
    }
    return verified
  }

  private static let everything = ["a.bin": Set(0..<10), "b.bin": [0], "c.bin": Set(0..<4)]

  @Test func `a full audit reads every chunk of a clean folder, and finds nothing`() throws {
    let pace = AuditPace()
    let result = try audit(try request(), pace)
    #expect(try verified(result) == Self.everything)
    #expect(result.models.flatMap(\.versions).flatMap(\.allFindings) == [])
    #expect(result.unfinished == nil)
    #expect(pace.bytesHashed == 135_100)
  }

  @Test func `a quick audit reads nothing`() throws {
    let pace = AuditPace()
    let result = try audit(try request(.quick), pace)
    #expect(try verified(result).values.allSatisfy(\.isEmpty))
    #expect(try files(result).allSatisfy { $0.reading == .none })
    #expect(pace.bytesHashed == 0)
  }

  @Test func `reading past the page cache finds the same`() throws {
    var request = try request()
    request.isDirect = true
    #expect(try verified(try audit(request)) == Self.everything)
    try flip("c.bin", at: 34_999)
    let file = try #require(try files(try audit(request)).last)
    #expect(file.chunks == [.verified, .verified, .verified, .wrong])
    #expect(file.verdict == .modified)
  }

  @Test func `the same seed reads the same chunks, and another one others`() throws {
    func sample(_ seed: UInt64) throws -> [String: Set<Int>] {
      try verified(
        try audit(try request(.sample(AuditSample(.share(basisPoints: 3_000), seed: seed))))
      )
    }
    let first = try sample(1)
    #expect(first.mapValues(\.count) == ["a.bin": 3, "b.bin": 1, "c.bin": 2])
    #expect(try sample(1) == first)
    #expect(try (2..<12).contains { try sample($0) != first })
  }

  @Test func `a sample of some bytes is about as large`() throws {
    let result = try audit(try request(.sample(AuditSample(.bytes(40_000), seed: 5))))
    let count = try files(result).reduce(0) { $0 + $1.bytesHashed }
    #expect((20_000...60_000).contains(count), "\(count)")
  }

  @Test func `every chunk is read once whenever the time is up`() throws {
    for limit in 0..<15 {
      var request = try request()
      var seen: [String: Set<Int>] = [:]
      var runs = 0
      repeat {
        let left = Countdown(limit)
        // Time is up after so many chunks.
        let pace = AuditPace(
          deadline: .seconds(1),
          now: { .seconds(left.isOver ? 2 : 0) },
          progress: { _ in left.step() }
        )
        let result = try audit(request, limit == 0 && runs > 0 ? AuditPace() : pace)
        for (file, chunks) in try verified(result) { seen[file, default: []].formUnion(chunks) }
        request.resume = result.unfinished?.cursor
        #expect(result.unfinished.map { $0.reason == .deadline } ?? true)
        runs += 1
      } while request.resume != nil && runs < 40
      #expect(seen == Self.everything, "\(limit)")
      #expect(request.resume == nil)
    }
  }

  @Test func `a chunk that is wrong is told with the digest that was read`() throws {
    try flip("a.bin", at: 12_345)
    let finding = try #require(try files(try audit(try request())).first?.findings.first)
    #expect(finding.verdict == .modified)
    let chunk = try #require(finding.chunks.first)
    #expect(finding.chunks.count == 1)
    #expect((chunk.index, chunk.range) == (1, 10_000..<20_000))
    let bytes = try OpenFile(reading: "\(folder)/a.bin").readBlock(count: 10_000, at: 10_000)
    #expect(chunk.found == SHA256Digest(of: bytes))
  }

  @Test func `what is left of a truncated file is read, and the rest named`() throws {
    try replaceFile(
      at: "\(folder)/a.bin",
      with: SampleBytes(seed: 1).prefix(95_000),
      mode: 0o644
    )
    let file = try #require(try files(try audit(try request())).first)
    #expect(file.verdict == .truncated)
    #expect(file.chunks == Array(repeating: .verified, count: 9) + [.wrong])
    #expect(file.findings.first?.chunks.map(\.index) == [9])
  }

  @Test
  func `an untrusted manifest says nothing against the bytes, and wrong bytes nothing against it`()
    throws
  {
    var request = AuditRequest(
      judgedAt: try Timestamp("2026-11-30T00:00:00Z"),
      policy: try .trusting([try SimulatedSigner("other")]),
      statements: []
    )
    request.mode = .full
    let version = try #require(try audit(request).models.first?.versions.first)
    #expect(!version.isTrusted)
    #expect(version.findings(on: .trust).map(\.verdict) == [.signatureUntrusted])
    #expect(version.findings(on: .integrity) == [])
    try flip("a.bin", at: 0)
    let trusted = try #require(try audit(try self.request()).models.first?.versions.first)
    #expect(trusted.isTrusted)
    #expect(trusted.findings(on: .trust) == [])
    #expect(trusted.findings(on: .integrity).map(\.verdict) == [.modified])
  }

  @Test func `a file that becomes shorter while it is read is truncated`() throws {
    let looks = Countdown(1)
    let path = "\(folder)/a.bin"
    // Asked when the work begins, and then before each read.
    let pace = AuditPace(
      maxRate: 1_000_000,
      now: {
        if looks.isOver {
          let file = FileHandle(forWritingAtPath: path)
          #expect(throws: Never.self) { try file?.truncate(atOffset: 5_000) }
        }
        looks.step()
        return .seconds(looks.steps)
      }
    )
    let file = try #require(try files(try audit(try request(), pace)).first)
    #expect(file.verdict == .truncated)
    #expect(file.chunks == Array(repeating: .wrong, count: 10))
    #expect(file.findings.first?.chunks.map(\.index) == Array(0..<10))
  }

  @Test func `an audit that goes on behind a missing file comes to its end`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/a.bin")
    let left = Countdown(1)
    var request = try request()
    let first = try audit(
      request,
      AuditPace(
        deadline: .seconds(1),
        now: { .seconds(left.isOver ? 2 : 0) },
        progress: { _ in left.step() }
      )
    )
    #expect(try files(first).map(\.verdict) == [.missing, .ok])
    request.resume = try #require(first.unfinished?.cursor)
    let second = try audit(request)
    #expect(second.unfinished == nil)
    #expect(try files(second).map(\.path) == ["c.bin"])
  }

  @Test func `a chain of folders is told where it is deeper than any release`() throws {
    let chain = Array(repeating: "d", count: RelativePath.maximumComponents + 10)
    try FileManager.default.createDirectory(
      atPath: "\(folder)/\(chain.joined(separator: "/"))",
      withIntermediateDirectories: true
    )
    let extras = try files(try audit(try request())).filter { $0.verdict == .extra }
    #expect(
      extras.map(\.path)
        == [chain.prefix(RelativePath.maximumComponents + 1).joined(separator: "/")]
    )
  }

  @Test func `no more bytes a second are read than allowed`() throws {
    let clock = Countdown(0)
    // A clock that only goes on when it is asked: each look takes a second.
    let pace = AuditPace(
      maxRate: 50_000,
      now: {
        clock.step()
        return .milliseconds(100 * clock.steps)
      }
    )
    _ = try audit(try request(), pace)
    // All but the last blocks wait for those before them.
    #expect(pace.elapsed >= .seconds(1.9))
  }

  private func flip(_ name: String, at offset: Int) throws {
    var bytes = try #require(release.contents[name])
    bytes[offset] ^= 1
    try replaceFile(at: "\(folder)/\(name)", with: bytes, mode: 0o644)
  }
}
