import Foundation
import TestSupport
import Testing

/// Rows A of the table of known failures: ranges, resume, validators.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct RangeRows {
  @Test(.rows("A1"))
  func `a mirror that compresses for who takes it is never offered that, after a kill either`()
    async throws
  {
    let trio = try await Trio(.gzipNegotiated)
    trio.a.rate = 3_000_000
    let running = try trio.home.start(trio.command(from: [trio.a.url]))
    #expect(await trio.a.wait { $0.reduce(0) { $0 + $1.bytesSent } >= 1_400_000 })
    running.kill()
    _ = await running.wait()
    trio.a.rate = nil
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a).faults == [:])
  }

  @Test(.rows("A2"))
  func `a 200 with the range that was asked costs no byte twice`() async throws {
    let trio = try await Trio(.ok200)
    let held = try await trio.leaveHalf()
    try trio.expectInstalled(try await trio.install(from: [trio.a.url]))
    #expect(trio.a.bytesSent <= Trio.size - held + Trio.chunkLength)
  }

  @Test(.rows("A3"))
  func `a mirror that ignores ranges gives no byte to a half-done file that others have`()
    async throws
  {
    let trio = try await Trio(.noRange)
    let held = try await trio.leaveHalf()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let share = try outcome.share(of: trio.a)
    #expect(share.good + share.wasted <= Trio.chunkLength)
    let others = [try outcome.share(of: trio.b), try outcome.share(of: trio.c)]
    #expect(share.good + others.reduce(0) { $0 + $1.good } == Trio.size - held)
  }

  /// A fault about ranges, and its class.
  @Test(
    .rows("A4", "A5", "A7"),
    arguments: [
      (Fault.wrongContentRange, "protocol"), (.shift, "integrity"), (.noContentRange, "protocol"),
      (.multipart, "protocol"), (.twoContentRanges, "protocol"), (.shortLength, "protocol"),
    ]
  )
  func `what is wrong about a range is named, and others bring the chunk`(
    fault: Fault,
    kind: String
  ) async throws {
    let trio = try await Trio(fault)
    let held = try await trio.leaveHalf()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let share = try outcome.share(of: trio.a)
    #expect(share.faults[kind] ?? 0 >= 1, "\(share)")
    #expect(share.good == 0)
    let others = [try outcome.share(of: trio.b), try outcome.share(of: trio.c)]
    #expect(others.reduce(0) { $0 + $1.good } == Trio.size - held)
  }

  @Test(.rows("A6", "B11"), arguments: [Fault.short206, .wrongContentRange])
  func `as many bytes count as came, not as many as were asked`(fault: Fault) async throws {
    let trio = try await Trio(fault)
    let held = try await trio.leaveHalf()
    let urls = fault == .short206 ? [trio.a.url] : nil
    let outcome = try await trio.install(from: urls)
    try trio.expectInstalled(outcome)
    guard fault == .short206 else { return }
    let share = try outcome.share(of: trio.a)
    #expect(share == MirrorShare(good: Trio.size - held))
    #expect(trio.a.requests.count > 2)
  }

  @Test(.rows("A8"))
  func `the connection of a refused answer serves no other request`() async throws {
    let trio = try await Trio(.wrongContentRange)
    try await trio.leaveHalf()
    try trio.expectInstalled(try await trio.install())
    let refused = trio.a.requests.filter { $0.status == 206 }
    #expect(!refused.isEmpty)
    #expect(Set(refused.map(\.connection)).count == refused.count)
  }

  @Test(.rows("A10"))
  func `a second install of what is installed asks nobody`() async throws {
    let trio = try await Trio()
    try trio.expectInstalled(try await trio.install())
    let requests = trio.a.requests.count + trio.b.requests.count + trio.c.requests.count
    let again = try await trio.install()
    try trio.expectInstalled(again)
    #expect(again.errors.contains("1.1.0 is already installed, verified\n"))
    #expect(trio.a.requests.count + trio.b.requests.count + trio.c.requests.count == requests)
  }

  @Test(.rows("A11"), .enabled("this process must not trace others", CallStriker.isAvailable))
  func `killed between the last byte and its rename, the next run asks nobody`() async throws {
    let trio = try await Trio()
    let striker = try CallStriker(trio.home)
    let command = trio.command(from: [trio.a.url])
    try trio.expectInstalled(try await striker.run(command))
    let renames = try striker.calls().filter { $0.name.hasPrefix("rename") }
    var complete = 0
    for rename in renames {
      try trio.home.removeStore()
      let number = rename.numberOfName
      let killed = try await striker.run(
        command,
        [StrikeRule(.kill, rename.name, number...number)]
      )
      #expect(killed.ending == .signalled(9), "\(rename)")
      guard try trio.home.oracle().active() == nil, try trio.heldBytes() == Trio.size else {
        continue
      }
      complete += 1
      let asked = trio.a.requests.count
      try trio.expectInstalled(try await trio.install(from: [trio.a.url]))
      #expect(trio.a.requests.count == asked, "\(rename)")
    }
    #expect(complete > 0)
  }

  @Test(.rows("A12"))
  func `of a part that was flipped and cut meanwhile only the damage is fetched`() async throws {
    let trio = try await Trio()
    try await trio.leaveHalf()
    let before = try trio.heldChunks()
    let victim = try #require(before.dropFirst().first)
    let path = try #require(trio.home.oracle().firstPartPath)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(victim * Trio.chunkLength + 77))
    try file.write(contentsOf: Data([Trio.content.bytes[victim * Trio.chunkLength + 77] ^ 1]))
    let last = try #require(before.last)
    try file.truncate(atOffset: UInt64(last * Trio.chunkLength + 5))
    try file.close()
    let outcome = try await trio.install(from: [trio.a.url])
    try trio.expectInstalled(outcome)
    let missing = Trio.size - (before.count - 2) * Trio.chunkLength
    #expect(try outcome.share(of: trio.a).good == missing)
  }

  @Test(.rows("A13"))
  func `the text of a 416 reaches no small file`() async throws {
    let home = try await ConsumerHome.trusting()
    let settings = Array("{\"temperature\":0.7}\n".utf8)
    let release = ConsumerRelease(files: [
      "config.json": .init(bytes: settings, chunkLength: nil), "weights.bin": .random(500_000),
    ])
    let files = release.files.mapValues(\.bytes)
    let (a, b) = (try FaultyMirror(files: files), try FaultyMirror(files: files))
    a.set(.always416, for: "*.json")
    let outcome = try await home.run([
      "install", try home.publish(release), "--json", "--mirror", "\(a.url)/{name}", "--mirror",
      "\(b.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let active = try #require(try home.oracle().active())
    #expect(FileManager.default.contents(atPath: "\(active.path)/config.json") == Data(settings))
    #expect(a.requests(for: "/config.json").allSatisfy { $0.status == 416 })
  }

  @Test(.rows("A14", "A16"), arguments: [true, false])
  func `a mirror that changes its file while it is read is told by the bytes`(
    honoursIfRange: Bool
  ) async throws {
    // Silence holds the run where it is until the file has changed.
    let trio = try await Trio(.stallAt(2_000_000))
    for mirror in [trio.b, trio.c] { mirror.set(.status(503, retryAfter: 2)) }
    let running = try trio.home.start(trio.command([]))
    #expect(await trio.a.wait { $0.reduce(0) { $0 + $1.bytesSent } >= 1_000_000 })
    let asked = trio.a.requests.count
    trio.a.set(.swapAfter(1, honoursIfRange: honoursIfRange))
    trio.a.cutConnections()
    #expect(await trio.a.wait { $0.count > asked })
    for mirror in [trio.b, trio.c] { mirror.set(.honest) }
    let outcome = await running.wait()
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a).wasted <= 12 * Trio.chunkLength)
  }

  @Test(.rows("A15", "B9"), arguments: [Fault.longer(), .shorter(), .status(404)])
  func `a mirror between two releases is passed over at once`(fault: Fault) async throws {
    let trio = try await Trio(fault)
    try await trio.leaveHalf()
    let outcome = try await trio.install()
    try trio.expectInstalled(outcome)
    let share = try outcome.share(of: trio.a)
    #expect(share.good == 0 && share.wasted == 0)
    #expect(trio.a.requests.count <= 4)
    guard fault != .status(404) else { return }
    let size = fault == .longer() ? Trio.size + 4000 : Trio.size - 4000
    let words = "file has \(size) bytes there, not \(Trio.size)"
    #expect(try outcome.warnings(about: trio.a.url).contains { $0.contains(words) })
  }

  @Test(.rows("A17"), arguments: [false, true])
  func `a mirror without ranges alone gives one stream from the start`(isResumed: Bool)
    async throws
  {
    let trio = try await Trio(.noRange)
    if isResumed { try await trio.leaveHalf() }
    try trio.expectInstalled(try await trio.install(from: [trio.a.url]))
    #expect(trio.a.requests.filter(\.isComplete).count == 1)
  }

  @Test(.rows("A20"))
  func `another ETag with each answer costs nothing`() async throws {
    let trio = try await Trio(.etagFlip)
    let held = try await trio.leaveHalf()
    let outcome = try await trio.install(from: [trio.a.url])
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a) == MirrorShare(good: Trio.size - held))
  }
}
