import Digests
import Manifests
import Publishing
import SystemFiles
import TestSupport
import Testing
import Transfers
import Verification

/// Mirrors that are wrong in one way each, and what is found at them.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct MirrorCheckTests {
  private static let chunkLength = 64 * 1024
  private static let bytes = SampleBytes(seed: 3).prefix(6 * chunkLength + 100)

  /// A release of one file with seven chunks, or with none, or of one chunk.
  private func release(
    _ bytes: [UInt8] = Self.bytes,
    chunkLength: Int? = Self.chunkLength,
    name: String = "w.gguf",
    fileMirrors: [String] = []
  ) throws -> Release {
    var table = ChunkTable()
    for start in stride(from: 0, to: bytes.count, by: chunkLength ?? bytes.count) {
      let piece = Array(bytes[start..<min(bytes.count, start + (chunkLength ?? bytes.count))])
      table.append(length: piece.count, digest: SHA256Digest(of: piece))
    }
    let file = FileEntry(
      path: try RelativePath(name),
      size: bytes.count,
      sha256: SHA256Digest(of: bytes),
      role: .weights,
      chunks: chunkLength == nil ? nil : table,
      mirrors: try fileMirrors.map { try MirrorTemplate($0) }
    )
    return try Release(
      model: try ModelName("tiny"),
      version: try Version("1.0.0"),
      released: try Timestamp("2026-11-30T00:00:00Z"),
      files: [file]
    )
  }

  private static let everyChunk = CheckDepth.samples(SampleChoice(count: 7, seed: 1))

  private func check(
    _ release: Release,
    at urls: String...,
    depth: CheckDepth = Self.everyChunk,
    _ change: (inout FetchOptions) -> Void = { _ in }
  ) async throws -> MirrorCheckReport {
    var options = FetchOptions()
    options.clocks.firstByte = .seconds(60)
    options.clocks.idle = .seconds(60)
    change(&options)
    let mirrors = try urls.map { try MirrorTemplate("\($0)/{name}") }
    let plan = MirrorCheckPlan(release, with: mirrors)
    return try await MirrorChecker(plan, depth: depth, options: options).check { _ in }
  }

  private func mirror(_ fault: Fault = .honest, name: String = "w.gguf") throws -> FaultyMirror {
    try FaultyMirror(files: ["/\(name)": Self.bytes], fault)
  }

  private func problems(
    _ fault: Fault,
    depth: CheckDepth = Self.everyChunk
  ) async throws -> [MirrorProblem] {
    let mirror = try mirror(fault)
    let report = try await check(try release(), at: mirror.url, depth: depth)
    #expect(!report.isSilent)
    withExtendedLifetime(mirror) {}
    return report.findings.map(\.problem)
  }

  /// The digest of a chunk as a mirror has it.
  private func wrongChunk(_ index: Int, flippedAt place: Int) -> MirrorProblem.WrongChunk {
    let range = index * Self.chunkLength..<min(Self.bytes.count, (index + 1) * Self.chunkLength)
    var bytes = Self.bytes
    bytes[place] ^= 0xff
    return .init(index: index, range: range, found: SHA256Digest(of: Array(bytes[range])))
  }

  @Test(arguments: [Fault.honest, .ok200, .short206, .etagFlip, .gzipNegotiated])
  func `a mirror that serves what is signed has no findings`(fault: Fault) async throws {
    for depth in [Self.everyChunk, .everything] {
      #expect(try await problems(fault, depth: depth) == [])
    }
  }

  @Test func `only ranges of chosen chunks are asked for, by nobody in particular`() async throws {
    let mirror = try mirror()
    let depth = CheckDepth.samples(SampleChoice(count: 2, seed: 1))
    let report = try await check(try release(), at: mirror.url, depth: depth) { options in
      try? options.credentials.add(bearer: "secret", for: mirror.url)
    }
    let last = 6 * Self.chunkLength
    #expect(
      mirror.requests.map(\.range) == [
        "bytes=0-\(Self.chunkLength - 1)", "bytes=\(last)-\(last + 99)",
      ]
    )
    #expect(mirror.requests.allSatisfy { !$0.hasAuthorization && !$0.hasCookie })
    let outcome = try #require(report.mirrors.first)
    #expect(outcome.rightChunks == 2)
    #expect(outcome.bytes == Self.chunkLength + 100)
    #expect(outcome.honoursRanges == true)
    #expect(outcome.slowestAnswer != nil)
    #expect(outcome.findings == [])
  }

  @Test func `one wrong byte names its chunk and place`() async throws {
    let place = 2 * Self.chunkLength + 7
    let expected = [MirrorProblem.wrongChunks([wrongChunk(2, flippedAt: place)])]
    for depth in [Self.everyChunk, .everything] {
      #expect(try await problems(.flip(at: place), depth: depth) == expected)
    }
    let depth = CheckDepth.samples(SampleChoice(count: 2, seed: 1))
    #expect(try await problems(.flip(at: place), depth: depth) == [])
  }

  @Test func `another file of the same size is stale, whatever is read of it`() async throws {
    for depth in [Self.everyChunk, .samples(SampleChoice(count: 2, seed: 1)), .everything] {
      let problems = try await problems(.zeros, depth: depth)
      guard case .stale(.samples(let chunks, let read))? = problems.first, problems.count == 1
      else {
        Issue.record("\(problems)")
        continue
      }
      #expect(chunks.count == read)
      #expect(read == (depth == .samples(SampleChoice(count: 2, seed: 1)) ? 2 : 7))
    }
  }

  @Test func `another size is an unfinished upload where the file begins right, else stale`()
    async throws
  {
    let size = Self.bytes.count
    let (longer, shorter) = (size + 4000, size - 4000)
    #expect(
      try await problems(.longer()) == [.sizeDiffers(found: longer, expected: size)]
    )
    #expect(
      try await problems(.shorter()) == [.sizeDiffers(found: shorter, expected: size)]
    )
    let other = try FaultyMirror(files: ["/w.gguf": SampleBytes(seed: 4).prefix(size - 1)])
    let report = try await check(try release(), at: other.url)
    #expect(
      report.findings.map(\.problem) == [.stale(.size(found: size - 1, expected: size))]
    )
    withExtendedLifetime(other) {}
  }

  @Test func `what ends the look at a file of another size is told, and heeded`() async throws {
    let other = SampleBytes(seed: 4).prefix(Self.bytes.count - 1)
    let busy = try FaultyMirror(files: ["/w.gguf": other], .statusAfter(1))
    let cutting = try FaultyMirror(files: ["/w.gguf": other], .truncated)
    let report = try await check(try twoFiles(), at: busy.url, cutting.url)
    let throttled = MirrorFault.throttled(status: 429, retryAfter: .seconds(1))
    #expect(report.mirrors.first?.findings.map(\.problem) == [.status(throttled)])
    #expect(report.mirrors.first?.skippedFiles == 1)
    #expect(busy.requests.count == 2)
    guard case .cut? = report.mirrors.last?.findings.first?.problem else {
      Issue.record("\(report.mirrors)")
      return
    }
    #expect(report.mirrors.last?.askedFiles == 2)
    withExtendedLifetime((busy, cutting)) {}
  }

  /// A release of two files, `w.gguf` and `x.gguf`.
  private func twoFiles() throws -> Release {
    let first = try release()
    return try Release(
      model: first.model,
      version: first.version,
      released: first.released,
      files: first.files + (try release(name: "x.gguf")).files
    )
  }

  @Test func `what stands in place of the file is recognised`() async throws {
    let pointer = Array(
      "version https://git-lfs.github.com/spec/v1\noid sha256:\(SHA256Digest.ofNothing)\nsize 9\n"
        .utf8
    )
    let page = Array("<!DOCTYPE html><html><body>sign in</body></html>".utf8)
    let mirrors = [
      try FaultyMirror(files: ["/w.gguf": pointer]), try FaultyMirror(files: ["/w.gguf": page]),
      try mirror(.html),
    ]
    for chunkLength in [Self.chunkLength, Self.bytes.count, nil] {
      let release = try release(chunkLength: chunkLength)
      let report = try await check(
        release,
        at: mirrors[0].url,
        mirrors[1].url,
        mirrors[2].url
      )
      let problems = report.findings.map(\.problem)
      #expect(problems.count == 3)
      #expect(problems.first == .lfsPointer)
      for problem in problems.dropFirst() {
        guard case .html(let beginning) = problem else {
          Issue.record("\(problem)")
          continue
        }
        #expect(beginning.hasPrefix("<!"))
      }
    }
    withExtendedLifetime(mirrors) {}
  }

  @Test(arguments: [Fault.noRange, .always416])
  func `a mirror without ranges is told, and read from its start where all is to be read`(
    fault: Fault
  ) async throws {
    let mirror = try mirror(fault)
    let sampled = try await check(try release(), at: mirror.url)
    #expect(sampled.findings.map(\.problem) == [.noRange])
    #expect(sampled.mirrors.first?.honoursRanges == false)
    #expect(sampled.mirrors.first?.rightChunks == (fault == .noRange ? 1 : 0))
    guard fault == .noRange else { return }
    let full = try await check(try release(), at: mirror.url, depth: .everything)
    #expect(full.findings.map(\.problem) == [.noRange])
    #expect(full.mirrors.first?.rightChunks == 7)
    withExtendedLifetime(mirror) {}
  }

  @Test func `ranges are tested at a file of one chunk, too`() async throws {
    let release = try release(chunkLength: Self.bytes.count)
    let (good, bad) = (try mirror(), try mirror(.noRange))
    let report = try await check(release, at: good.url, bad.url)
    #expect(report.mirrors.map(\.honoursRanges) == [true, false])
    #expect(report.mirrors.map(\.rightChunks) == [1, 1])
    #expect(report.findings.map(\.problem) == [.noRange])
    #expect(good.requests.count == 2)
    withExtendedLifetime(bad) {}
  }

  @Test func `a file without chunks is read whole where it is small or all is read`() async throws {
    let release = try release(chunkLength: nil)
    let (good, bad) = (try mirror(), try mirror(.flip(at: 9)))
    let report = try await check(release, at: good.url, bad.url)
    #expect(report.mirrors.map(\.rightChunks) == [1, 0])
    guard case .wrongFile? = report.findings.first?.problem else {
      Issue.record("\(report.findings)")
      return
    }
    let large = SampleBytes(seed: 5).prefix(2 << 20)
    let mirror = try FaultyMirror(files: ["/w.gguf": large])
    let whole = try self.release(large, chunkLength: nil)
    let edges = try await check(whole, at: mirror.url)
    #expect(edges.findings == [])
    #expect(edges.mirrors.first?.unverifiedFiles == 1)
    #expect(edges.mirrors.first?.bytes == 128 << 10)
    let all = try await check(whole, at: mirror.url, depth: .everything)
    #expect(all.mirrors.first?.unverifiedFiles == 0)
    #expect(all.mirrors.first?.rightChunks == 1)
    withExtendedLifetime((good, bad, mirror)) {}
  }

  @Test(arguments: [
    (Fault.status(404), MirrorProblem.status(.missing(status: 404))),
    (.status(403), .status(.denied(status: 403))),
    (.status(500), .status(.status(500))),
    (.status(503, retryAfter: 1), .status(.throttled(status: 503, retryAfter: .seconds(1)))),
    (.gzip, .contentCoding("gzip")),
    (.noContentRange, .malformed(.noContentRange)),
    (.multipart, .malformed(.severalParts)),
  ])
  func `an answer that is none is told`(fault: Fault, problem: MirrorProblem) async throws {
    #expect(try await problems(fault) == [problem])
  }

  @Test(arguments: [Fault.truncated, .reset])
  func `an answer that ends early is cut, and the mirror was there`(fault: Fault) async throws {
    let problems = try await problems(fault)
    guard case .cut? = problems.first, problems.count == 1 else {
      Issue.record("\(problems)")
      return
    }
  }

  @Test func `redirects are counted, and those that lead nowhere are findings`() async throws {
    let target = try mirror()
    let mirror = try mirror(.redirect(to: target.url))
    let report = try await check(try release(), at: mirror.url)
    #expect(report.findings == [])
    #expect(report.mirrors.first?.redirects == 1)
    #expect(report.mirrors.first?.redirectOrigins == [target.url])
    let problems = try await problems(.redirectLoop)
    guard case .redirect? = problems.first, problems.count == 1 else {
      Issue.record("\(problems)")
      return
    }
    withExtendedLifetime((mirror, target)) {}
  }

  @Test
  func `a mirror that gives no answer, or wants to be left alone, is asked for one file only`()
    async throws
  {
    let dead = try DeadPort()
    let both = try twoFiles()
    let report = try await check(both, at: dead.url)
    #expect(report.isSilent)
    #expect(report.mirrors.first?.askedFiles == 1)
    #expect(report.mirrors.first?.skippedFiles == 1)
    guard case .unreachable? = report.findings.first?.problem, report.findings.count == 1 else {
      Issue.record("\(report.findings)")
      return
    }
    let mirror = try mirror(.status(429, retryAfter: 1))
    let two = try await check(both, at: dead.url, mirror.url)
    #expect(!two.isSilent)
    #expect(two.mirrors.last?.skippedFiles == 1)
    #expect(mirror.requests.count == 1)
    withExtendedLifetime(dead) {}
  }

  @Test func `mirrors of files are checked for their files, and no template twice`() async throws {
    let mirror = try mirror()
    let release = try release(fileMirrors: ["\(mirror.url)/w.gguf", "\(mirror.url)/{name}"])
    let report = try await check(release, at: mirror.url, mirror.url)
    #expect(report.mirrors.map(\.mirror.text) == ["\(mirror.url)/{name}", "\(mirror.url)/w.gguf"])
    #expect(report.mirrors.map(\.askedFiles) == [1, 1])
    #expect(report.findings == [])
    withExtendedLifetime(mirror) {}
  }
}
