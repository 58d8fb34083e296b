import Foundation
import ReleaseSimulator
import Sealift
import TestSupport
import Testing
import Trust

/// Versions in use: plans, activation, the way back, leases, audits.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct LibraryTests {
  private let application: Application

  init() throws { application = try Application() }

  private func failure(_ work: () async throws -> Void) async -> ModelFailure? {
    do { try await work() } catch { return error as? ModelFailure }
    return nil
  }

  @Test func `what is not there is not downloaded, and nothing is made by looking`() throws {
    let library = try application.launch()
    #expect(try library.state(of: "tiny") == .notDownloaded)
    #expect(try library.models() == [])
    #expect(try library.activeVersion(of: "tiny") == nil)
    #expect(try library.interruptedInstalls() == [])
    #expect(!FileManager.default.fileExists(atPath: application.storePath))
  }

  @Test func `an install tells its states from nothing to the active version`() async throws {
    let release = try Application.large()
    let mirror = try FaultyMirror(release)
    let source = try application.source(release, from: [mirror.template])
    var states: [InstallState] = []
    for await state in try application.launch().install(source) { states.append(state) }
    #expect(states.first == .notDownloaded)
    #expect(states.last == .active(version: "1.0.0"))
    let downloads = states.compactMap(\.downloaded)
    #expect(downloads == downloads.sorted())
    #expect(downloads.last == 1)
    #expect(states.contains(.verifying(fraction: 1)))
    withExtendedLifetime(mirror) {}
  }

  @Test func `the plan tells size, download and space before anything is fetched`() async throws {
    let release = try Application.large()
    let mirror = try FaultyMirror(release)
    let source = try application.source(release, from: [mirror.template])
    let library = try application.launch()
    let plan = try await library.plan(source)
    #expect(plan.model == "tiny")
    #expect(plan.version == "1.0.0")
    #expect(plan.size == 1 << 20)
    #expect(plan.downloadSize == 1 << 20)
    #expect(plan.freeSpace > 0)
    #expect(!plan.isInstalled)
    #expect(mirror.requests == [])
    #expect(!FileManager.default.fileExists(atPath: application.storePath))

    #expect(await library.install(source).last() == .active(version: "1.0.0"))
    let after = try await library.plan(source)
    #expect(after.isInstalled)
    #expect(after.downloadSize == 0)
    #expect(after.missingSpace == 0)
  }

  @Test func `the plan of an update leaves out what other versions have`() async throws {
    let first = try Application.large()
    #expect(try await application.install(first) == .active(version: "1.0.0"))
    var second = try Application.large("1.1.0")
    second.files[0].bytes = Array(
      first.files[0].bytes[..<524_288] + second.files[0].bytes[524_288...]
    )
    let source = try application.source(second, from: ["http://models.invalid/{name}"])
    let plan = try await application.launch().plan(source)
    #expect(plan.size == 1 << 20)
    #expect(plan.downloadSize == 524_288)
  }

  @Test func `a release can be made ready first and active later, and there is a way back`()
    async throws
  {
    let library = try application.launch()
    var options = InstallOptions()
    options.activates = false
    #expect(try await application.install(.tiny(), options) == .ready(version: "1.0.0"))
    #expect(try library.state(of: "tiny") == .ready(version: "1.0.0"))
    try await library.activate("tiny", version: "1.0.0")
    #expect(try await application.install(.tiny("1.1.0")) == .active(version: "1.1.0"))
    #expect(try await library.rollback("tiny") == "1.0.0")
    #expect(try library.activeVersion(of: "tiny") == "1.0.0")
    #expect(try await library.rollback("tiny") == "1.1.0")
  }

  @Test func `a leased version stays whole while others become active and are collected`()
    async throws
  {
    #expect(try await application.install(.tiny()) == .active(version: "1.0.0"))
    let library = try application.launch()
    let leased = try await library.leaseActiveModel("tiny")
    for version in ["1.1.0", "1.2.0", "1.3.0", "1.4.0"] {
      #expect(try await application.install(.tiny(version)) == .active(version: version))
    }
    #expect(leased.version == "1.0.0")
    let isLeased = leased.isLeased
    #expect(isLeased)
    #expect(try library.activeVersion(of: "tiny") == "1.4.0")
    let config = "{\"version\":\"1.0.0\"}"
    #expect(try readFile("\(leased.path)/config.json") == Array(config.utf8))
    // The descriptor is that of the folder with the files.
    #expect(
      try readFile("/proc/self/fd/\(leased.descriptor)/config.json") == Array(config.utf8)
    )
    leased.release()
    #expect(try await application.bytes(of: "config.json") == Array("{\"version\":\"1.4.0\"}".utf8))
  }

  @Test func `what the body throws comes through, and the lease ends`() async throws {
    struct Unhappy: Error {}
    #expect(try await application.install(.tiny()) == .active(version: "1.0.0"))
    let library = try application.launch()
    await #expect(throws: Unhappy.self) {
      try await library.withActiveModel("tiny") { _ in throw Unhappy() }
    }
  }

  @Test func `an audit finds a changed file, and nothing where nothing is wrong`() async throws {
    #expect(try await application.install(.tiny()) == .active(version: "1.0.0"))
    let library = try application.launch()
    let clean = try await library.audit()
    #expect(clean.isClean)
    #expect(clean.versionCount == 1)
    let path = try await library.withActiveModel("tiny") { "\($0.path)/config.json" }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try Data("{\"version\":\"6.6.6\"}".utf8).write(to: URL(filePath: path))
    let found = try await library.audit(["tiny"])
    #expect(found.isComplete)
    #expect(!found.isClean)
    let finding = try #require(found.findings.first { $0.verdict == "modified" })
    #expect(finding.model == "tiny")
    #expect(finding.version == "1.0.0")
    #expect(finding.file == "config.json")
  }

  @Test func `a damaged version does not start, and says so`() async throws {
    #expect(try await application.install(.tiny()) == .active(version: "1.0.0"))
    let library = try application.launch()
    let path = try await library.withActiveModel("tiny") { "\($0.path)/config.json" }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try Data("{\"version\":\"6.6.6\"}".utf8).write(to: URL(filePath: path))
    let found = await failure { try await library.withActiveModel("tiny") { _ in } }
    #expect(found?.reason == .damaged)
    #expect(try library.state(of: "tiny").failure?.reason == .damaged)
  }

  @Test func `what is not there is told by its name`() async throws {
    let library = try application.launch()
    #expect(
      await failure { try await library.withActiveModel("tiny") { _ in } }?.reason == .noSuchModel
    )
    #expect(await failure { try await library.rollback("tiny") }?.reason == .noSuchModel)
    var options = InstallOptions()
    options.activates = false
    #expect(try await application.install(.tiny(), options) == .ready(version: "1.0.0"))
    #expect(
      await failure { try await library.withActiveModel("tiny") { _ in } }?.reason
        == .nothingActive
    )
    #expect(
      await failure { try await library.activate("tiny", version: "2.0.0") }?.reason
        == .noSuchVersion
    )
    #expect(
      await failure { try await library.activate("tiny", version: "two") }?.reason
        == .invalidConfiguration
    )
    #expect(await library.install(.interrupted("tiny")).last()?.failure?.reason == .noSuchVersion)
  }

  @Test @MainActor func `an observed model shows what its library does`() async throws {
    let release = try Application.large()
    let mirror = try FaultyMirror(release, fault: .zeros)
    let library = try application.launch()
    let source = try application.source(release, from: [mirror.template])
    let model = ObservedModel("tiny", source: source, in: library)
    #expect(model.state == .notDownloaded)
    model.install()
    await model.finish()
    #expect(model.state.failure?.reason == .wrongFile)
    #expect(model.activeVersion == nil)
    mirror.set(.honest)
    model.install()
    await model.finish()
    #expect(model.state == .active(version: "1.0.0"))
    #expect(model.activeVersion == "1.0.0")
    model.refresh()
    #expect(model.state == .active(version: "1.0.0"))
  }
}
