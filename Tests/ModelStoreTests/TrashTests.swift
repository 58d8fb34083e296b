import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

/// What a person removed can be had back for a while.
@Suite(.temporaryFolder)
struct TrashTests {
  private let bench: Bench
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() throws {
    bench = try Bench()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
    try bench.install(one)
    try bench.install(two)
  }

  private func inode() throws -> FileIdentity {
    try OpenFile(readingPlainFile: bench.file("model.gguf", of: one)).status().identity
  }

  private func removeOne() throws {
    let model = try bench.model()
    try model.remove(one.version, holding: model.lockForInstall())
  }

  @Test func `a removed version comes back as the same files, and is believed only when read`()
    throws
  {
    let before = try inode()
    try removeOne()
    let model = try bench.model()
    #expect(try model.versionNames().map(\.version) == [two.version])
    #expect(try model.restoreFromTrash(bench.name(of: one)))
    #expect(try inode() == before)
    #expect(try model.proof(of: bench.name(of: one)) == .unproven)
    #expect(try bench.isVerified(one))
    #expect(try model.proof(of: bench.name(of: one)) == .stamped)
    #expect(try !model.restoreFromTrash(bench.name(of: one)))
  }

  @Test func `what is removed twice is there once, and reconciling sweeps the rest`() throws {
    try removeOne()
    try bench.publish(one)
    try removeOne()
    #expect(try Folder(path: bench.place("trash")).entries().count == 3)
    try bench.reconcile()
    let names = try Folder(path: bench.place("trash")).entries().map(\.name)
    #expect(names == [try bench.name(of: one).text, "CACHEDIR.TAG"])
  }

  @Test func `after a day it is gone, and a clock that runs behind deletes nothing`() throws {
    try removeOne()
    let model = try bench.model()
    let past = try Timestamp("1970-01-02T00:00:00Z")
    #expect(try model.emptyTrash(at: past).isEmpty)
    #expect(try model.restoreFromTrash(bench.name(of: one)))
    try removeOne()
    try model.emptyTrash(at: Timestamp("2050-01-01T00:00:00Z"))
    #expect(try !model.restoreFromTrash(bench.name(of: one)))
  }

  @Test func `a purge takes it at once`() throws {
    try removeOne()
    try bench.model().emptyTrash()
    #expect(try !bench.model().restoreFromTrash(bench.name(of: one)))
  }
}
