import Foundation
import StrictJSON
import TestSupport
import Testing

/// Rows H of the table of known failures: processes, permissions, installed state.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ProcessRows {
  /// What a power cut may leave of a part: a tail of zeros, zeros in a claimed chunk, an empty journal, both.
  enum Loss: CaseIterable, Sendable { case tail, claimedChunk, journal, tailAndJournal }

  @Test(.rows("H5", "H6"), arguments: Loss.allCases)
  func `what a power cut took from a part is found and fetched again`(loss: Loss) async throws {
    let trio = try await Trio()
    try await trio.leaveHalf()
    let held = try trio.heldChunks()
    let part = try #require(trio.home.oracle().firstPartPath)
    let journal = part.replacing("0.part", with: "0.journal")
    let lost: [Int] =
      switch loss {
      case .tail, .tailAndJournal: Array(held.suffix(3))
      case .claimedChunk: [try #require(held.dropFirst(2).first)]
      case .journal: []
      }
    let file = try FileHandle(forUpdating: URL(filePath: part))
    for chunk in lost {
      try file.seek(toOffset: UInt64(chunk * Trio.chunkLength))
      try file.write(contentsOf: Data(count: Trio.chunkLength))
    }
    try file.close()
    if loss == .journal || loss == .tailAndJournal {
      try Data().write(to: URL(filePath: journal))
    }
    let outcome = try await trio.install(from: [trio.a.url])
    try trio.expectInstalled(outcome)
    let missing = Trio.size - (held.count - lost.count) * Trio.chunkLength
    #expect(try outcome.share(of: trio.a).good == missing)
  }

  @Test(.rows("H8"))
  func `models are kept where nothing synchronises them, and the manual says so`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: ["weights.bin": .random(100_000)])
    let outcome = try await home.tool.run(
      [
        "install", try home.publish(release), "--mirror", try home.fileMirror(release), "--config",
        home.configuration,
      ]
    )
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("\(home.folder)/.local/share/sealift/models/"))
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("not in a folder that a cloud service synchronises"))
  }

  @Test(.rows("H3"))
  func `twenty installs that start together all end well and fetch the bytes once`() async throws {
    let trio = try await Trio()
    let outcomes = try await withThrowingTaskGroup(of: ToolOutcome.self) { group in
      for _ in 0..<20 { group.addTask { try await trio.install(["--give-up", "30s"]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes { try trio.expectInstalled(outcome) }
    #expect(trio.bytesSent <= Trio.size + 16 * Trio.chunkLength)
    #expect(try trio.home.oracle().active()?.generation == 1)
  }

  /// Locks that grant all to everybody, and locks that the system does not know.
  static let uselessLocks: [(row: String, strike: Strike)] = [
    ("H1", .claim(0)), ("H2", .error(ENOSYS)),
  ]

  @Test(
    .rows("H1", "H2"),
    .enabled("this process must not trace others", CallStriker.isAvailable),
    arguments: uselessLocks
  )
  func `two installs without locks both end well`(row: String, strike: Strike) async throws {
    let trio = try await Trio()
    // Slow enough that both are at work at the same time.
    for mirror in [trio.a, trio.b, trio.c] { mirror.rate = 2_000_000 }
    let command = trio.command(["--lock=none", "--give-up", "30s"])
    let outcomes = try await withThrowingTaskGroup(of: ToolOutcome.self) { group in
      for number in 1...2 {
        let striker = try CallStriker(trio.home, log: "calls-\(number).log")
        group.addTask { try await striker.run(command, [StrikeRule(strike, "flock")]) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes {
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      let warnings = try outcome.events().filter { $0["kind"] == "noLocks" }
      #expect(warnings.count == 1, "\(outcome.output)")
    }
    let active = try #require(try trio.home.oracle().active())
    #expect(active.version == Trio.release.version)
    let bytes = FileManager.default.contents(atPath: "\(active.path)/\(Trio.file)")
    #expect(bytes.map { $0.elementsEqual(Trio.content.bytes) } == true)
    #expect(trio.bytesSent >= Trio.size)
  }

  @Test(
    .rows("H1", "H2"),
    .enabled("this process must not trace others", CallStriker.isAvailable),
    arguments: uselessLocks
  )
  func `locks that do not lock are refused unless that is asked for`(
    row: String,
    strike: Strike
  ) async throws {
    let trio = try await Trio()
    let outcome = try await CallStriker(trio.home).run(
      trio.command(),
      [StrikeRule(strike, "flock")]
    )
    #expect(outcome.ending == .exited(8), "\(outcome.errors)")
    #expect(outcome.errors.contains("--lock=none"), "\(outcome.errors)")
    #expect(trio.bytesSent == 0)
    #expect(try trio.home.oracle().active() == nil)
  }
}
