import Foundation
import TestSupport
import Testing

/// Rows B of the table of known failures: integrity, mirrors, failover.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct IntegrityRows {
  @Test(.rows("B1"))
  func `one wrong byte costs one chunk`() async throws {
    let trio = try await Trio(.flip(at: 1000))
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a).faults == ["integrity": 1])
    #expect(try outcome.share(of: trio.a).wasted >= Trio.chunkLength)
    // The end of a file may be asked twice, where a mirror is slow with it.
    let wasted = try [trio.a, trio.b, trio.c].reduce(0) { try $0 + outcome.share(of: $1).wasted }
    #expect(wasted <= 3 * Trio.chunkLength)
  }

  @Test(.rows("B2"), arguments: [Fault.zeros, .flipEvery(Trio.chunkLength), .flip(at: 1000)])
  func `a mirror is not asked again for a chunk that it had wrong, and no more after two`(
    fault: Fault
  ) async throws {
    let trio = try await Trio(fault)
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    try expectNotAskedAgain(trio, outcome, isOneByte: fault == .flip(at: 1000))
  }

  @Test(.rows("B2"), .enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `mirrors under three names of one address are three mirrors`() async throws {
    let trio = try await Trio(.zeros)
    trio.preferA()
    let mirrors = [("a.mirror.test", trio.a), ("b.mirror.test", trio.b), ("c.mirror.test", trio.c)]
    let urls = mirrors.map { "http://\($0):\($1.port)" }
    let outcome = try await PrivateMounts.run(
      trio.command(from: urls),
      trio.home,
      names: mirrors.map { ($0.0, "127.0.0.1") }
    )
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: urls[0]).faults["integrity"] ?? 0 <= 4)
    #expect(try outcome.share(of: urls[0]).good == 0)
  }

  private func expectNotAskedAgain(
    _ trio: Trio,
    _ outcome: ToolOutcome,
    isOneByte: Bool
  ) throws {
    let share = try outcome.share(of: trio.a)
    // Two connections may each bring two before the first of them is judged.
    #expect((1...4).contains(share.faults["integrity"] ?? 0), "\(share)")
    #expect(share.wasted <= 8 * Trio.chunkLength, "\(share)")
    // Where one chunk alone is wrong, others may be cut and asked for again.
    let all = try trio.a.requests.map(firstByte)
    let firsts = isOneByte ? all.filter { $0 == 0 } : all
    #expect(Set(firsts).count == firsts.count, "\(firsts)")
  }

  private func firstByte(of request: RequestRecord) throws -> Int {
    guard let range = request.range else { return 0 }
    return try #require(Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }))
  }

  /// Everything that a mirror can do wrong and a file can come in spite of.
  private static let modes: [Fault] = [
    .flip(at: 1_000_000), .flipEvery(1 << 20), .zeros, .longer(), .shorter(), .swapAfter(2),
    .etagFlip, .gzip, .gzipNegotiated, .html, .noRange, .ok200, .wrongContentRange,
    .noContentRange, .shift, .short206, .shortLength, .twoContentRanges, .twoLengths, .multipart,
    .always416, .oneRange(holding: 2_000_000), .ignoresIfRange, .status(404), .status(403),
    .status(401), .status(500), .status(503, retryAfter: 1), .status(429), .statusTimes(3),
    .statusTimes(3, status: 429), .redirectLoop, .redirect(to: "file:///etc"), .truncated,
    .truncatedWithoutLength, .reset, .stall(after: 300_000), .stallAt(2_000_000), .silence,
    .slow(bytesPerSecond: 60_000), .slowHeader(), .endlessHeader, .endlessBody, .garbage, .chunked,
  ]

  @Test(.rows("B3", "B4", "B12", "F9"), arguments: modes)
  func `no fault of one mirror of three ends a run`(fault: Fault) async throws {
    let trio = try await Trio(fault)
    try trio.expectInstalled(try await trio.install())
  }

  @Test(.rows("B3"), arguments: [Fault.truncated, .reset])
  func `a chunk that was cut keeps what was verified before it`(fault: Fault) async throws {
    let trio = try await Trio(fault)
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let good = try [trio.a, trio.b, trio.c].map { try outcome.share(of: $0).good }
    #expect(good.reduce(0, +) == Trio.size)
    #expect(good[0] > 0)
  }

  @Test(.rows("B6"))
  func `a page in place of one range comes into no chunk`() async throws {
    let trio = try await Trio(.oneRange(holding: 2_000_000))
    trio.preferA()
    try trio.expectInstalled(try await trio.install())
  }

  @Test(
    .rows("B7"),
    arguments: [
      Fault.flip(at: 1_000_000), .zeros, .longer(), .shorter(), .gzip, .html, .twoLengths,
      .always416, .status(404), .status(403), .status(500), .status(503, retryAfter: 600),
      .status(429, retryAfter: 600), .redirectLoop, .truncatedWithoutLength, .stallAt(1_000_000),
      .silence, .endlessHeader, .garbage, .swapAfter(1),
    ]
  )
  func `where all mirrors fail, the final path has the old version or none`(fault: Fault)
    async throws
  {
    let trio = try await Trio(fault)
    trio.b.set(fault)
    trio.c.set(fault)
    let failed = try await trio.install(["--give-up", "1s"])
    #expect([4, 5].contains(failed.exitCode), "\(failed.errors)")
    #expect(try trio.home.oracle().active() == nil)
    #expect(trio.home.oracle().versions == [])
    #expect(trio.home.oracle().litter == [])
    let old = ConsumerRelease(files: [Trio.file: .random(300_000, seed: 1)])
    try await trio.home.installed(old)
    let before = try trio.home.oracle().active()
    #expect([4, 5].contains(try await trio.install(["--give-up", "1s"]).exitCode))
    #expect(try trio.home.oracle().active() == before)
  }

  @Test(.rows("B8"), arguments: [1_000_000, Trio.size])
  func `a redirect to another file is told by its size or its bytes`(size: Int) async throws {
    let other = try FaultyMirror(files: [Trio.file: SampleBytes(seed: 99).prefix(size)])
    let trio = try await Trio(.redirect(to: other.url))
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let words =
      size == Trio.size
      ? "has wrong bytes" : "file has \(size) bytes there, not \(Trio.size)"
    #expect(try outcome.warnings(about: trio.a.url).contains { $0.contains(words) })
    withExtendedLifetime(other) {}
  }

  @Test(.rows("B10"))
  func `a body cut short is told as that and not as wrong bytes`() async throws {
    let trio = try await Trio(.truncated)
    trio.preferA()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let warnings = try outcome.warnings(about: trio.a.url)
    #expect(warnings.contains { $0.contains("connection closed after ") && $0.contains(" of ") })
    #expect(try outcome.share(of: trio.a).faults["integrity"] == nil)
  }

  @Test(.rows("B12"))
  func `without a length the signed size decides`() async throws {
    let trio = try await Trio(.truncatedWithoutLength)
    trio.preferA()
    try trio.expectInstalled(try await trio.install())
  }

  @Test(.rows("B12"))
  func `a body without a length that ends early is no file`() async throws {
    let trio = try await Trio(.truncatedWithoutLength)
    let outcome = try await trio.install(["--give-up", "1s"], from: [trio.a.url])
    #expect(outcome.ending == .exited(4), "\(outcome.errors)")
    #expect(try trio.home.oracle().active() == nil)
    #expect(try trio.heldBytes() >= Trio.size / 2)
  }

  @Test(.rows("B5"))
  func `of an installed file with three wrong bytes three chunks are fetched at most`()
    async throws
  {
    let trio = try await Trio()
    try trio.expectInstalled(try await trio.install())
    let active = try #require(try trio.home.oracle().active())
    let path = "\(active.path)/\(Trio.file)"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    for offset in [10, 3_000_000, Trio.size - 1] {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: Data([Trio.content.bytes[offset] ^ 0xff]))
    }
    try file.close()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    #expect(outcome.errors.contains("1.1.0 is installed but damaged"))
    let fetched = try [trio.a, trio.b, trio.c].reduce(0) { try $0 + outcome.share(of: $1).good }
    #expect(fetched <= 3 * Trio.chunkLength)
  }
}
