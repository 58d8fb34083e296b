import Glibc
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

/// Who may do what follows from the mode of the root.
@Suite(.temporaryFolder)
struct StoreKindTests {
  private let bench: Bench
  private let release: SimulatedRelease

  init() throws {
    bench = try Bench()
    release = try .tiny()
  }

  private func install(_ options: StoreOptions) throws {
    let model = try Store(changing: bench.path, options).modelForChanging(release.model)
    let lock = try model.lockForInstall()
    var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    try bench.fill(candidate, from: release)
    try bench.seal(&candidate)
    let version = try model.publish(candidate, acceptedAt: bench.now)
    try model.activate(version, now: bench.now, as: .named(consent: .none))
  }

  private func modes(_ places: [String]) throws -> [String] {
    let entries = try DiskTree(at: bench.path).entries
    return places.map { String(entries[$0]?.status.mode ?? 0, radix: 8) }
  }

  private func places() throws -> [String] {
    let name = try bench.name(of: release).text
    return [
      "store.lock", "STORE.json", "models/tiny", "models/tiny/install.lock",
      "models/tiny/active.json", "models/tiny/leases/\(name)", "models/tiny/versions/\(name)",
      "models/tiny/versions/\(name)/files/config.json", "models/tiny/trash",
    ]
  }

  @Test func `a root that all may read makes a store for all, whose locks are its owner's`() throws
  {
    _ = try Folder(creating: bench.path, mode: 0o755)
    try install(StoreOptions())
    #expect(
      try modes(places()) == ["600", "644", "755", "600", "644", "644", "555", "444", "700"]
    )
  }

  @Test func `an empty folder is given to a group, whose members may change everything`() throws {
    var options = StoreOptions()
    options.sharedGroup = getegid()
    try install(options)
    #expect(try Folder(path: bench.path).status().mode == 0o2770)
    #expect(
      try modes(places()) == ["660", "660", "2770", "660", "660", "660", "2770", "440", "2770"]
    )
    #expect(try bench.storeForReading().model(release.model).status().state == .active)
    // Moving a version needs no right that a member lacks.
    let model = try Store(changing: bench.path, options).modelForChanging(release.model)
    try model.removeAll(holding: model.lockForInstall())
    #expect(try model.restoreFromTrash(bench.name(of: release)))
  }

  @Test(.enabled(if: FileStatus.currentUser == 0, "needs root to be two users"))
  func `two members of a group work on one store, whatever their umask`() async throws {
    let group: UInt32 = 4242
    try setMode(of: TemporaryFolder.current, 0o755)
    _ = try Folder(creating: bench.path, mode: 0o700)
    let shared = bench.path
    func run(as user: UInt32, _ version: String) async {
      await #expect(processExitsWith: .success) {
        [
          shared = shared as String, user = user as UInt32, group = group as UInt32,
          version = version as String
        ] in
        guard setgroups(0, nil) == 0, setgid(group) == 0, setuid(user) == 0 else {
          throw SupportError.failed(call: "setuid", code: errno)
        }
        umask(0o077)
        var options = StoreOptions()
        options.sharedGroup = group
        let bench = try Bench(at: shared)
        let release = try SimulatedRelease.tiny(version)
        let model = try Store(changing: shared, options).modelForChanging(release.model)
        let lock = try model.lockForInstall()
        var candidate = try model.candidate(for: bench.accepted(release), holding: lock)
        try bench.fill(candidate, from: release)
        try bench.seal(&candidate)
        let published = try model.publish(candidate, acceptedAt: bench.now)
        try model.activate(published, now: bench.now, as: .named(consent: .anyVersion))
        _ = try model.reconcile(holding: lock, now: bench.now)
      }
    }
    let folder = try Folder(path: bench.path)
    try folder.setGroup(group)
    try folder.setMode(0o2770)
    await run(as: 1111, "1.0.0")
    await run(as: 2222, "2.0.0")
    await run(as: 1111, "2.0.0")
    let status = try bench.storeForReading().model(release.model).status()
    #expect(status.record.record?.active.version.text == "2.0.0")
    #expect(status.versions.map(\.proof) == [.stamped, .stamped])
  }

  @Test func `a store of one user is not shared by saying so`() throws {
    try install(StoreOptions())
    var options = StoreOptions()
    options.sharedGroup = getegid()
    #expect(throws: StoreError.notShared(path: bench.path, group: getegid(), mode: 0o700)) {
      try install(options)
    }
  }

  @Test(arguments: [0o770, 0o2770, 0o757, 0o2777])
  func `a root that others can write is refused`(mode: UInt32) throws {
    _ = try Folder(creating: bench.path, mode: 0o700)
    try setMode(of: bench.path, mode)
    let error = StoreError.unsafeOwnership(
      path: bench.path,
      owner: FileStatus.currentUser,
      mode: mode
    )
    #expect(throws: error) { try install(StoreOptions()) }
  }

  @Test func `without locks nobody is kept out, and candidates do not meet`() throws {
    var options = StoreOptions()
    options.locking = .none
    let model = try Store(changing: bench.path, options).modelForChanging(release.model)
    let one = try model.lockForInstall()
    let two = try model.lockForInstall()
    do {
      let accepted = try bench.accepted(release)
      let first = try model.candidate(for: accepted, holding: one)
      let second = try model.candidate(for: accepted, holding: two)
      try bench.fill(first, from: release)
      #expect(try second.incompleteFiles().count == 3)
      #expect(try second.parts.entries().isEmpty)
    }
    #expect(try Folder(path: bench.place("staging")).entries().count == 2)
    try install(options)
    // Nobody can tell whether a version is in use.
    try bench.reconcile()
    let store = try Store(changing: bench.path, options)
    let published = try bench.publish(.tiny("0.1.0"))
    var collection = CollectionOptions()
    collection.newestCount = 0
    let items = try store.collect([release.model], collection, now: bench.now)
    #expect(items.first { $0.name == published.name.text }?.keptFor == .unknownLease)
    one.release()
    two.release()
  }

  @Test func `current is left out where nobody wants links`() throws {
    try install(StoreOptions())
    var options = StoreOptions()
    options.hasLink = false
    let model = try Store(changing: bench.path, options).modelForChanging(release.model)
    #expect(try model.reconcile(now: bench.now) == [.removeLink])
    #expect(try DiskTree(at: bench.path).entries["models/tiny/current"] == nil)
    #expect(try model.reconcile(now: bench.now) == [])
  }

  @Test func `bytes of models stay out of backups unless their owner wants them in`() throws {
    try install(StoreOptions())
    func isTagged() throws -> Bool {
      try DiskTree(at: bench.place("versions")).entries["CACHEDIR.TAG"] != nil
    }
    #expect(try isTagged())
    try Store(changing: bench.path).setInBackups(true)
    #expect(try !isTagged())
    _ = try bench.model()
    #expect(try !isTagged())
    try Store(changing: bench.path).setInBackups(false)
    #expect(try isTagged())
  }
}
