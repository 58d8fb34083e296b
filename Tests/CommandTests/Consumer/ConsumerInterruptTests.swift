import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C and its like stop an install cleanly, and the next one goes on.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerInterruptTests {
  private static let file = "weights.bin"
  private let release = ConsumerRelease(files: [file: .random(4 << 20)])

  @Test(arguments: [SIGINT, SIGTERM])
  func `an install that is interrupted says how to go on, and loses no verified byte`(
    signal: CInt
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let content = try #require(release.files[Self.file])
    let mirror = try FaultyMirror(files: [Self.file: content.bytes], .stall(after: 1_500_000))
    let install = ["install", try home.publish(release), "--mirror", "\(mirror.url)/{name}"]
    let start = ContinuousClock.now
    let running = try home.start(install)
    let chunk = content.bytes.prefix(1 << 20)
    #expect(try await eventually { home.oracle().firstPart?.starts(with: chunk) ?? false })
    running.send(signal)
    let runTime = (ContinuousClock.now - start) / .seconds(1)
    let outcome = await running.wait()
    // One that goes on as if nothing was ends after two minutes of silence.
    #expect(outcome.wallSeconds - runTime < 60)
    outcome.expectRefusal(130, "interrupted", help: "to go on, run the same command again")
    #expect(outcome.errors.contains("stopping; interrupt again to end at once\n"))
    #expect(home.oracle().candidates.count == 1)
    #expect(home.oracle().litter.isEmpty)

    mirror.set(.honest)
    let before = mirror.bytesSent
    let resumed = try await home.run(install)
    #expect(resumed.ending == .exited(0), "\(resumed.errors)")
    #expect(mirror.bytesSent - before <= 3 << 20)
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `an interruption while the manifest is fetched ends at once`() async throws {
    let home = try await ConsumerHome.trusting()
    let server = try FaultyMirror(files: ["m.json": []], .silence)
    let running = try home.start(["install", server.url("m.json")])
    #expect(await server.wait { !$0.isEmpty })
    running.interrupt()
    await running.wait().expectRefusal(130, "interrupted")
  }

  @Test func `the summary of an interrupted run is its last event`() async throws {
    let home = try await ConsumerHome.trusting()
    let content = try #require(release.files[Self.file])
    let mirror = try FaultyMirror(files: [Self.file: content.bytes], .silence)
    let running = try home.start([
      "install", try home.publish(release), "--mirror", "\(mirror.url)/{name}", "--json",
    ])
    #expect(await mirror.wait { !$0.isEmpty })
    running.interrupt()
    let outcome = await running.wait()
    #expect(outcome.ending == .exited(130))
    #expect(
      outcome.output.hasSuffix("{\"event\":\"summary\",\"exit\":130,\"class\":\"interrupted\"}\n")
    )
  }
}

extension ConsumerInterruptTests {
  @Test func `a pipe that nobody writes to is left at the first interruption`() async throws {
    let home = try await ConsumerHome.trusting()
    let pipe = "\(home.folder)/manifest.json"
    try makePipe(at: pipe)
    let running = try home.start(["install", pipe])
    // A pipe can be opened for writing once somebody has opened it for reading.
    let writer = await Task.detached { FileHandle(forWritingAtPath: pipe) }.value
    running.interrupt()
    await running.wait().expectRefusal(130, "interrupted")
    withExtendedLifetime(writer) {}
  }
}
