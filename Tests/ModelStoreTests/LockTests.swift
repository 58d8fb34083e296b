import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct LockTests {
  @Test func `a second install of the same model is told that it is busy`() throws {
    let bench = try Bench()
    let model = try bench.model()
    let lock = try model.lockForInstall()
    #expect(throws: StoreError.busy(model.name)) { _ = try bench.model().lockForInstall() }
    #expect(try bench.model().status().isBusy)
    // Another model has another lock.
    try bench.install(SimulatedRelease.tiny(model: "other"))
    #expect(try model.candidateNames().isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test func `another process that ends frees the lock, however it ends`() async throws {
    let bench = try Bench()
    let model = try bench.model()
    do { _ = try model.lockForInstall() }
    var flock = try #require(Tool.installed("flock"))
    flock.timeout = .seconds(300)
    let holder = try flock.start(
      ["-o", bench.place("install.lock"), "sh", "-c", "echo held; exec sleep 900"]
    )
    #expect(await holder.waitForOutput { $0 == "held\n" })
    #expect(throws: StoreError.busy(model.name)) { _ = try model.lockForInstall() }
    #expect(try model.status().isBusy)
    holder.killGroup()
    _ = await holder.wait()
    #expect(try !model.status().isBusy)
    _ = try model.lockForInstall()
  }

  @Test func `an activation does not wait for an install that is under way`() throws {
    let bench = try Bench()
    let (one, two) = (try SimulatedRelease.tiny("1.0.0"), try SimulatedRelease.tiny("2.0.0"))
    try bench.install(one)
    try bench.install(two)
    let model = try bench.model()
    let lock = try model.lockForInstall()
    #expect(try bench.activate(one).active.version == one.version)
    withExtendedLifetime(lock) {}
  }

  @Test func `the lock files stay when all else goes`() throws {
    let bench = try Bench()
    try bench.install(.tiny())
    let before = try DiskTree(at: bench.place()).entries
    let model = try bench.model()
    try model.removeAll(holding: model.lockForInstall())
    let after = try DiskTree(at: bench.place()).entries
    for name in ["install.lock", "state.lock"] {
      #expect(after[name]?.status.identity == before[name]?.status.identity)
      #expect(after[name] != nil)
    }
  }
}
