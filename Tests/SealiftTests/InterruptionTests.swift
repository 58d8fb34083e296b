import Foundation
import ReleaseSimulator
import Sealift
import TestSupport
import Testing

/// Whatever interrupts a download: the application says so, goes on, and keeps what was active.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct InterruptionTests {
  private static let held = 400_000

  private let application: Application
  private let release: SimulatedRelease

  init() throws {
    application = try Application()
    release = try Application.large()
  }

  /// The whole chunks of what a stalled mirror has sent.
  private var kept: Double { Double(Self.held / 65_536 * 65_536) / Double(1 << 20) }

  /// Starts the terminal program on a mirror that stalls, and waits until all whole chunks have arrived.
  private func stalledProgram(_ mirror: FaultyMirror) async throws -> RunningTool {
    // However the bytes are asked for, these come and no others.
    mirror.set(.stallAt(Self.held))
    let manifest = TemporaryFolder.path("manifest.json")
    try Data(application.manifest(release, from: [mirror.template]))
      .write(to: URL(filePath: manifest))
    let program = try Tool.built("example-terminal")
      .start([application.storePath, application.key, manifest])
    let library = try application.launch()
    let kept = kept
    let isThere = try await eventually { try library.state(of: "tiny").downloaded ?? 0 >= kept }
    #expect(
      isThere,
      "\(String(decoding: program.standardOutput, as: UTF8.self)) \(mirror.requests)"
    )
    return program
  }

  @Test func `a program that is killed in a download finds that out, and goes on from there`()
    async throws
  {
    let mirror = try FaultyMirror(release)
    let program = try await stalledProgram(mirror)
    // While it runs, every other process sees it at work, and nothing to be retried.
    let library = try application.launch()
    #expect(try library.interruptedInstalls() == [])
    program.kill()
    _ = await program.wait()

    #expect(try library.state(of: "tiny").failure?.reason == .interrupted)
    let interrupted = try #require(try library.interruptedInstalls().first)
    #expect(interrupted.model == "tiny")
    #expect(interrupted.version == "1.0.0")
    #expect(interrupted.fraction >= kept)
    #expect(interrupted.failure.reason == .interrupted)
    #expect(interrupted.failure.canRetry)

    mirror.set(.honest)
    let before = mirror.bytesSent
    let again = Watcher(library.install(.interrupted("tiny")))
    #expect(await again.last() == .active(version: "1.0.0"))
    #expect(mirror.bytesSent - before <= (1 << 20) - Int(kept * Double(1 << 20)))
    #expect(again.all.compactMap(\.downloaded).contains { $0 >= kept })
    #expect(try library.interruptedInstalls() == [])
    #expect(try await application.bytes(of: "a.bin") == release.contents["a.bin"])
  }

  @Test func `the next launch of the program says what was interrupted, and resumes it`()
    async throws
  {
    let mirror = try FaultyMirror(release)
    let program = try await stalledProgram(mirror)
    program.kill()
    _ = await program.wait()
    mirror.set(.honest)
    let outcome = try await Tool.built("example-terminal")
      .run([application.storePath, application.key, "--resume", "tiny"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("tiny 1.0.0 was interrupted"))
    #expect(outcome.output.contains("version 1.0.0 is active"))
    withExtendedLifetime(mirror) {}
  }

  @Test func `an invalid URL, then a small wrong file, then the good mirror`() async throws {
    let library = try application.launch()
    let invalid = await library.install(.url("https://")).last()?.failure
    #expect(invalid?.message == "The mirrors of the model cannot be reached.")

    let wrong = try FaultyMirror(files: ["/1.0.0/a.bin": Array("<html>no such page".utf8)])
    let refused = await library.install(
      try application.source(release, from: [wrong.template])
    ).last()?.failure
    #expect(refused?.canRetry == true)
    #expect(try library.activeVersion(of: "tiny") == nil)
    #expect(try library.state(of: "tiny").failure != nil)

    let good = try FaultyMirror(release)
    let source = try application.source(release, from: [wrong.template, good.template])
    #expect(await library.install(source).last() == .active(version: "1.0.0"))
    #expect(try library.state(of: "tiny") == .active(version: "1.0.0"))
    withExtendedLifetime((wrong, good)) {}
  }

  @Test func `wrong bytes of the right length from all mirrors are told as a wrong file`()
    async throws
  {
    let mirror = try FaultyMirror(release, fault: .zeros)
    let source = try application.source(release, from: [mirror.template])
    let failure = try #require(await application.launch().install(source).last()?.failure)
    #expect(failure.reason == .wrongFile)
    #expect(failure.message == "Every mirror has a wrong file; nothing of it was installed.")
    #expect(try application.activeRecord() == nil)
    withExtendedLifetime(mirror) {}
  }

  @Test func `a mirror that vanishes in a download is told, and a retry goes on`() async throws {
    let mirror = try FaultyMirror(release)
    mirror.set(.stall(after: Self.held))
    let library = try application.patient()
    let source = try application.source(release, from: [mirror.template])
    let states = Watcher(library.install(source))
    #expect(try await states.wait { ($0.downloaded ?? 0) >= kept })
    library.cancel("tiny")
    #expect(await states.last()?.failure?.reason == .cancelled)
    mirror.stop()

    let impatient = try application.launch()
    let gone = try #require(await impatient.install(source).last()?.failure)
    #expect(gone.reason == .mirrorsUnreachable)
    #expect(gone.canRetry)
    #expect(try impatient.state(of: "tiny").failure?.reason == .mirrorsUnreachable)
    #expect(try impatient.interruptedInstalls().map(\.failure.reason) == [.mirrorsUnreachable])

    let back = try FaultyMirror(release)
    var application = application
    application.settings.mirrors = [back.template]
    #expect(
      try await application.launch().install(.interrupted("tiny")).last()
        == .active(version: "1.0.0")
    )
    #expect(back.bytesSent <= (1 << 20) - Int(kept * Double(1 << 20)))
  }

  @Test func `a machine without a network is told to be offline`() async throws {
    let source = try application.source(release, from: ["http://models.invalid/{name}"])
    let failure = try #require(await application.launch().install(source).last()?.failure)
    #expect(failure.reason == .offline)
    #expect(failure.message == "This machine is offline.")
    #expect(failure.canRetry)
  }

  @Test func `cancelling an update leaves the active record as it is`() async throws {
    #expect(try await application.install(release) == .active(version: "1.0.0"))
    let record = try application.activeRecord()
    let update = try Application.large("1.1.0")
    let mirror = try FaultyMirror(update)
    mirror.set(.stall(after: Self.held))
    let library = try application.patient()
    let states = Watcher(library.install(try application.source(update, from: [mirror.template])))
    #expect(try await states.wait { ($0.downloaded ?? 0) >= kept })
    // Programs use the old version meanwhile.
    #expect(try await application.bytes(of: "a.bin") == release.contents["a.bin"])
    library.cancel("tiny")
    let failure = try #require(await states.last()?.failure)
    #expect(failure.reason == .cancelled)
    #expect(failure.canRetry)
    #expect(try application.activeRecord() == record)
    #expect(try library.state(of: "tiny") == .active(version: "1.0.0"))
    #expect(try library.interruptedInstalls().map(\.version) == ["1.1.0"])
    withExtendedLifetime(mirror) {}
  }

  @Test(arguments: [true, false])
  func `a launch without a network uses what is active, after an update and after a failed one`(
    succeeds: Bool
  ) async throws {
    #expect(try await application.install(release) == .active(version: "1.0.0"))
    let update = try Application.large("1.1.0")
    let mirror = try FaultyMirror(update, fault: succeeds ? .honest : .zeros)
    let source = try application.source(update, from: [mirror.template])
    _ = try await application.launch().install(source).last()
    mirror.stop()

    let library = try application.launch()
    let (version, content) = succeeds ? ("1.1.0", update) : ("1.0.0", release)
    #expect(try library.state(of: "tiny") == .active(version: version))
    #expect(try await application.bytes(of: "a.bin") == content.contents["a.bin"])
  }

  @Test func `a second install of the same source reads the states of the first`() async throws {
    let mirror = try FaultyMirror(release)
    mirror.set(.stall(after: Self.held))
    let library = try application.patient()
    let source = try application.source(release, from: [mirror.template])
    let first = Watcher(library.install(source))
    #expect(try await first.wait { ($0.downloaded ?? 0) >= kept })
    let second = Watcher(library.install(source))
    #expect(try await second.wait { ($0.downloaded ?? 0) >= kept })
    #expect(mirror.requests.count == 1)
    library.cancel(source)
    #expect(await first.last()?.failure?.reason == .cancelled)
    #expect(await second.last()?.failure?.reason == .cancelled)
  }
}
