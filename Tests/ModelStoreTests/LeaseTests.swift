import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

/// Who uses a version says so, and nobody takes it away meanwhile.
@Suite(.temporaryFolder)
struct LeaseTests {
  private let bench: Bench
  private let releases: [SimulatedRelease]

  init() throws {
    bench = try Bench()
    releases = try ["1.0.0", "2.0.0", "3.0.0", "4.0.0"].map { try .tiny($0) }
    for release in releases { try bench.install(release) }
  }

  private func reason(for release: SimulatedRelease, in items: [CollectedItem]) throws
    -> KeepReason?
  {
    let name = try bench.name(of: release).text
    return try #require(items.first { $0.name == name }).keptFor
  }

  @Test func `a leased version stays, and goes once the lease has ended`() throws {
    let model = try bench.model()
    let lease = try model.lease(bench.name(of: releases[0]))
    let isHeld = lease.isHeld
    #expect(isHeld)
    let items = try bench.collect()
    #expect(try reason(for: releases[0], in: items) == .leased)
    #expect(try reason(for: releases[1], in: items) == nil)
    #expect(try bench.isVerified(releases[0], isFull: false))
    lease.release()
    #expect(try reason(for: releases[0], in: bench.collect()) == nil)
    #expect(try bench.model().versionNames().count == 2)
  }

  @Test func `the kernel ends the lease of a process that is killed`() async throws {
    var flock = try #require(Tool.installed("flock"))
    flock.timeout = .seconds(300)
    let file = bench.place("leases/\(try bench.name(of: releases[0]).text)")
    let holder = try flock.start(["-o", "-s", file, "sh", "-c", "echo held; exec sleep 900"])
    #expect(await holder.waitForOutput { $0 == "held\n" })
    #expect(try reason(for: releases[0], in: bench.collect()) == .leased)
    holder.killGroup()
    _ = await holder.wait()
    #expect(try reason(for: releases[0], in: bench.collect()) == nil)
  }

  @Test func `a file that is open somewhere keeps its version without any lease`() throws {
    let path = try bench.file("model.gguf", of: releases[0])
    let reader = try OpenFile(readingPlainFile: path)
    #expect(try reason(for: releases[0], in: bench.collect()) == .open)
    #expect(try reader.readBlock(count: 4, at: 0) == Array("GGUF".utf8))
    withExtendedLifetime(reader.descriptor) {}
  }

  @Test func `a lease that cannot be asked keeps its version`() throws {
    let file = bench.place("leases/\(try bench.name(of: releases[0]).text)")
    try FileManager.default.removeItem(atPath: file)
    _ = try Folder(creating: file, mode: 0o700)
    #expect(try reason(for: releases[0], in: bench.collect()) == .unknownLease)
  }

  @Test func `the active version is leased as one, with its files open`() throws {
    let model = try bench.model()
    let active = try model.leaseActive()
    let isHeld = active.lease.isHeld
    #expect(isHeld)
    let (path, expected) = (active.filesPath, model.filesPath(of: active.record.active.name))
    #expect(path == expected)
    let text = try active.files.openFile("config.json").readAll(limit: 1 << 20)
    #expect(text == releases[3].contents["config.json"])
  }

  @Test func `while it is leased, the version outlives activation of others and collection`() throws
  {
    let model = try bench.model()
    let leased = try model.leaseActive()
    for version in ["5.0.0", "6.0.0", "7.0.0"] { try bench.install(.tiny(version)) }
    #expect(try reason(for: releases[3], in: bench.collect()) == .leased)
    let size = try leased.files.openFile("config.json").status().size
    let version = leased.record.active.version
    #expect(size > 0 && version == releases[3].version)
  }

  @Test func `a version in use is not removed by name, nor is its model`() throws {
    let model = try bench.model()
    let lease = try model.lease(bench.name(of: releases[2]))
    let error = StoreError.inUse(model.name, releases[2].version)
    #expect(throws: error) {
      try model.remove(releases[2].version, holding: model.lockForInstall())
    }
    #expect(throws: error) { try model.removeAll(holding: model.lockForInstall()) }
    #expect(try bench.model().versionNames().count == 4)
    lease.release()
    try model.removeAll(holding: model.lockForInstall())
  }

  @Test func `the lease of a version that is still to come keeps it from its first moment`() throws
  {
    let next = try SimulatedRelease.tiny("0.5.0")
    let model = try bench.model()
    let lease = try model.lease(bench.name(of: next))
    try bench.publish(next)
    #expect(try reason(for: next, in: bench.collect()) == .leased)
    try bench.reconcile()
    #expect(try reason(for: next, in: bench.collect()) == .leased)
    lease.release()
    #expect(try reason(for: next, in: bench.collect()) == nil)
  }

  @Test func `without a version a lease file is swept away, and made where it is missing`() throws {
    try bench.write("", to: bench.place("leases/9.9.9-0123456789abcdef"))
    let file = bench.place("leases/\(try bench.name(of: releases[3]).text)")
    try FileManager.default.removeItem(atPath: file)
    try bench.reconcile()
    let names = try Folder(path: bench.place("leases")).entries().map(\.name)
    #expect(try names == releases.map { try bench.name(of: $0).text })
  }

  @Test func `where nothing can be written the lease is taken of the file that is there`() async {
    await #expect(processExitsWith: .success) {
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder {
        let tests = try LeaseTests()
        let bench = tests.bench
        try setMode(of: bench.place("leases"), 0o500)
        for release in tests.releases {
          try setMode(of: bench.place("leases/\(try bench.name(of: release).text)"), 0o444)
        }
        let model = try bench.storeForReading().model(ModelName("tiny"))
        let isHeld = try model.leaseActive().lease.isHeld
        #expect(isHeld)
        let other = try model.lease(try #require(VersionName("9.9.9-0123456789abcdef")))
        let isOtherHeld = other.isHeld
        #expect(!isOtherHeld)
      }
    }
  }
}
