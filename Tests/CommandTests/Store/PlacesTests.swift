import Foundation
import Glibc
import SystemFiles
import TestSupport
import Testing

/// Other users, full and read-only disks, layers, clocks, and no network.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(10)))
struct PlacesTests {
  /// Runs every command that changes a store, and judges it after each.
  private func liveThrough(_ home: ConsumerHome, from first: String? = nil) async throws {
    var active = first
    for (command, version) in [
      (try home.installing("1.0.0"), "1.0.0"), (try home.installing("1.1.0"), "1.1.0"),
      (["rollback", "acme/tiny"], "1.0.0"), (["activate", "acme/tiny@1.1.0"], "1.1.0"),
      (["remove", "acme/tiny@1.0.0"], "1.1.0"),
    ] where active == nil || version != "1.0.0" || command.first != "install" {
      let before = try StoreSnapshot(of: home.store)
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(0), "\(command): \(outcome.errors)")
      let found = try await home.violations(
        StoreExpectation(active: [version], isFinished: true, removes: command[0] == "remove"),
        since: before
      )
      #expect(found.isEmpty, "\(command)")
      active = version
    }
  }

  /// Gives the folder to another user, who then runs `sealift` under a tight umask.
  private func handOver(_ home: ConsumerHome) async throws -> ConsumerHome {
    var other = home
    let tool = "\(home.folder)/sealift"
    try FileManager.default.copyItem(atPath: home.tool.path, toPath: tool)
    let chown = try #require(Tool.installed("chown"))
    #expect(try await chown.run(["-R", "65534:65534", home.folder]).ending == .exited(0))
    other.tool = try #require(Tool.installed("setpriv"))
    other.tool.environment = home.tool.environment
    other.prefix = [
      "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", "umask 077; exec \"$@\"",
      "sh", tool,
    ]
    return other
  }

  @Test(.enabled(if: geteuid() == 0 && has("setpriv"), "needs root"))
  func `all commands work for a user without rights under a tight umask`() async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { _ = try home.installing(version) }
    let other = try await handOver(home)
    try await liveThrough(other)
    let owners = Set(try StoreSnapshot(of: home.store).tree.values.map(\.status.owner))
    #expect(owners == [65534])
    let modes = try DiskTree(at: home.store).lines.filter { !$0.contains(" -> ") }
    let published = modes.filter { $0.contains("/versions/1") }
    #expect(published.allSatisfy { $0.hasPrefix("0555") || $0.hasPrefix("0444") }, "\(modes)")
    // Whoever may see a lease may take it; everything else is the owner's.
    let leases = modes.filter { $0.contains("/leases/") && !$0.hasSuffix("/") }
    #expect(leases.allSatisfy { $0.hasPrefix("0644") }, "\(modes)")
    let others = modes.filter {
      !$0.contains("/versions/1") && !$0.contains("/trash/1") && !leases.contains($0)
    }
    #expect(others.allSatisfy { $0.hasPrefix("0700") || $0.hasPrefix("0600") }, "\(modes)")
  }

  @Test(.enabled(if: geteuid() == 0 && has("setpriv"), "needs root"))
  func `a folder that its owner must not write is exit code 8, and costs nothing`() async throws {
    let home = try await ConsumerHome.trusting()
    let command = try home.installing("1.1.0")
    _ = try home.installing("1.0.0")
    let other = try await handOver(home)
    #expect(try await other.run(try home.installing("1.0.0")).ending == .exited(0))
    let chown = try #require(Tool.installed("chown"))
    _ = try await chown.run(["-R", "65534:65534", home.folder])
    for part in ["versions", "stamps", "staging", "../../floors", "."] {
      let place = "\(home.oracle().folder)/\(part)"
      try setMode(of: place, 0o500)
      let before = try StoreSnapshot(of: home.store)
      let outcome = try await other.run(command)
      try setMode(of: place, 0o700)
      outcome.expectRefusal(8, try #require(outcome.errorLines.first).dropped("error: "))
      #expect(outcome.errors.contains(home.store), "\(part): \(outcome.errors)")
      #expect(outcome.errors.contains("permission denied"), "\(part): \(outcome.errors)")
      let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), since: before)
      #expect(found.isEmpty, "\(part)")
    }
    #expect(try await other.run(command).ending == .exited(0))
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(found.isEmpty)
  }

  @Test(
    .enabled("needs the right to mount") { await mayMount() },
    arguments: [
      "floors", "models", "models/acme+tiny", "models/acme+tiny/versions",
      "models/acme+tiny/stamps", "models/acme+tiny/staging",
    ]
  )
  func `a full disk under any folder of the store is exit code 8, and costs nothing`(
    folder: String
  ) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.sceneRelease("1.0.0"))
    let command = try home.installing("1.1.0")
    let place = "\(home.store)/\(folder)"
    let kept = try StoreSnapshot(of: home.store)
    try await whileMounted(["-t", "tmpfs", "-o", "size=4k,nr_inodes=1,mode=0700", "tmpfs", place]) {
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(8), "\(outcome.errors)")
      #expect(outcome.errors.contains(home.store) || outcome.errors.contains("not enough"))
    }
    // What lies beneath the mount is what counts.
    let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), since: kept)
    #expect(found.isEmpty)
    #expect(try await home.run(command).ending == .exited(0))
    let last = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(last.isEmpty)
  }

  @Test(.enabled("needs the right to mount") { await mayMount() })
  func `a disk of which others take the rest fills up, and the next try uses what was freed`()
    async throws
  {
    var home = try await ConsumerHome.trusting()
    let disk = "\(home.folder)/disk"
    _ = try Folder(creating: disk, mode: 0o755)
    home.store = "\(disk)/store"
    try await whileMounted(["-t", "tmpfs", "-o", "size=700k,mode=0755", "tmpfs", disk]) {
      try await home.installed(home.sceneRelease("1.0.0"))
      let command = try home.installing("1.1.0")
      for filled in [350, 450, 500] {
        _ = try OpenFile(creating: "\(disk)/other", mode: 0o600).preallocate(filled * 1024)
        let before = try StoreSnapshot(of: home.store)
        let outcome = try await home.run(command)
        #expect(outcome.ending == .exited(8), "\(filled): \(outcome.errors)")
        let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), since: before)
        #expect(found.isEmpty, "\(filled)")
        try FileManager.default.removeItem(atPath: "\(disk)/other")
      }
      #expect(try await home.run(command).ending == .exited(0))
      let last = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
      #expect(last.isEmpty)
    }
  }

  @Test(.enabled("needs the right to mount") { await mayMount() })
  func `a read-only store with unfinished work is read, and left as it is`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.sceneRelease("1.0.0"))
    let striker = try CallStriker(home)
    let command = try home.installing("1.1.0")
    let killed = try await striker.run(command, [StrikeRule(.kill, "renameat2", 1...1)])
    #expect(killed.ending == .signalled(9))
    #expect(!home.oracle().candidates.isEmpty)
    try await whileMounted(["--bind", home.store, home.store]) {
      let mount = try #require(Tool.installed("mount"))
      let words = ["-o", "remount,bind,ro", home.store]
      #expect(try await mount.run(words).ending == .exited(0))
      let before = try StoreSnapshot(of: home.store)
      for verb in [["status"], ["list"], ["path", "acme/tiny"]] {
        let outcome = try await home.run(verb)
        #expect(outcome.ending == .exited(0), "\(verb): \(outcome.errors)")
      }
      for verb in [command, ["rollback", "acme/tiny"], ["remove", "acme/tiny"]] {
        let outcome = try await home.run(verb)
        #expect(outcome.ending == .exited(8) || verb[0] == "rollback", "\(outcome.errors)")
      }
      let found = try await home.violations(StoreExpectation(active: ["1.0.0"]), since: before)
      #expect(found.isEmpty)
    }
    #expect(try await home.run(command).ending == .exited(0))
  }

  @Test(.enabled("needs the right to mount") { await mayMount() })
  func `a store in the lower layer of an overlay is used and changed`() async throws {
    var home = try await ConsumerHome.trusting()
    for layer in ["lower", "upper", "work", "merged"] {
      _ = try Folder(creating: "\(home.folder)/\(layer)", mode: 0o755)
    }
    home.store = "\(home.folder)/lower/store"
    try await home.installed(home.sceneRelease("1.0.0"))
    let striker = try CallStriker(home)
    let killed = try await striker.run(
      try home.installing("1.1.0"),
      [StrikeRule(.kill, "renameat2", 2...2)]
    )
    #expect(killed.ending == .signalled(9))
    let lower = try DiskTree(at: home.store)
    home.store = "\(home.folder)/merged/store"
    let layers = ["lower", "upper", "work"].map { "\($0)dir=\(home.folder)/\($0)" }
    try await whileMounted([
      "-t", "overlay", "-o", layers.joined(separator: ","), "overlay", "\(home.folder)/merged",
    ]) {
      #expect(try await home.run(["path", "acme/tiny"]).ending == .exited(0))
      try await liveThrough(home, from: "1.0.0")
    }
    #expect(try DiskTree(at: "\(home.folder)/lower/store") == lower)
  }

  @Test(.enabled(if: geteuid() == 0 && has("unshare"), "needs root"))
  func `what needs no download works without a network, and asks for no socket`() async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { try await home.installed(home.sceneRelease(version)) }
    var lonely = home
    lonely.tool = try #require(Tool.installed("unshare"))
    lonely.tool.environment = home.tool.environment
    lonely.prefix = ["-n", home.tool.path]
    let striker = try CallStriker(home)
    for (command, version) in [
      (["rollback", "acme/tiny"], "1.0.0"), (["activate", "acme/tiny@1.1.0"], "1.1.0"),
      (["status"], "1.1.0"), (["list"], "1.1.0"), (["path", "acme/tiny"], "1.1.0"),
    ] {
      let outcome = try await lonely.run(command)
      #expect(outcome.ending == .exited(0), "\(command): \(outcome.errors)")
      let found = try await home.violations(StoreExpectation(active: [version], isFinished: true))
      #expect(found.isEmpty, "\(command)")
      if version == "1.0.0" { continue }
      #expect(try await striker.run(command).ending == .exited(0))
      #expect(try striker.sockets().isEmpty, "\(command)")
    }
  }

  @Test(.enabled("needs the tracer") { try await CallStriker.isAvailable() })
  func `commands that read make no call that changes something`() async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { try await home.installed(home.sceneRelease(version)) }
    let striker = try CallStriker(home)
    let reading = [
      "openat2", "openat", "read", "pread64", "getdents64", "fcntl", "flock", "fadvise64", "write",
      "exit_group", "ioctl",
    ]
    for command in [["status"], ["list"], ["path", "acme/tiny"]] {
      #expect(try await striker.run(command).ending == .exited(0))
      let calls = try striker.calls()
      #expect(calls.allSatisfy { reading.contains($0.name) }, "\(command): \(calls)")
      #expect(calls.filter { $0.name == "write" }.allSatisfy { $0.paths == ["standard-output"] })
      #expect(try striker.sockets().isEmpty)
    }
  }

  // C5
  @Test func `without links in the store every command works, and there is none`() async throws {
    let home = try await ConsumerHome.trusting()
    var plain = home
    plain.tool = try #require(Tool.installed("sh"))
    plain.tool.environment = home.tool.environment
    plain.prefix = ["-c", "exec \"$0\" \"$@\" --no-symlinks", home.tool.path]
    try await liveThrough(plain)
    let links = try StoreSnapshot(of: home.store).tree.filter { $0.value.target != nil }
    #expect(links.isEmpty)
  }

  @Test(.enabled(if: has("faketime"), "needs faketime"), arguments: ["1970-01-02", "2050-01-01"])
  func `the active version and the way back are there whatever the clock says`(
    day: String
  ) async throws {
    let home = try await ConsumerHome.trusting()
    for version in ["1.0.0", "1.1.0"] { try await home.installed(home.sceneRelease(version)) }
    var later = home
    later.tool = try #require(Tool.installed("faketime"))
    later.tool.environment = home.tool.environment
    // The clock is to be wrong, not what the file system says of times.
    later.tool.environment["NO_FAKE_STAT"] = "1"
    later.prefix = ["\(day) 00:00:00", home.tool.path]
    #expect(try await later.run(["path", "acme/tiny"]).ending == .exited(0))
    try await liveThrough(later, from: "1.1.0")
  }
}

extension String {
  fileprivate func dropped(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
