import Foundation
import StrictJSON
import TestSupport
import Testing

/// What goes, what stays, and what a person is told about it.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerCollectTests {
  private func release(_ version: String) -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(version: version, files: ["weights.bin": .random(50_000, seed: seed)])
  }

  private func home(_ versions: [String]) async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    for version in versions {
      let release = release(version)
      let outcome = try await home.run([
        "install", try home.publish(release), "--mirror",
        try home.fileMirror(release, in: "blobs-\(version)"), "--no-gc",
      ])
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    return home
  }

  private func folders(_ home: ConsumerHome) -> [String] {
    home.oracle().names(in: "versions").filter { $0 != "CACHEDIR.TAG" }
  }

  @Test func `everything that stays has a reason, and a dry run changes nothing`() async throws {
    let home = try await home(["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
    #expect(try await home.run(["pin", "acme/tiny@1.1.0"]).output == "acme/tiny 1.1.0 is pinned\n")
    let names = folders(home)
    let before = try DiskTree(at: home.store)
    let dry = try await home.run(["gc", "--explain", "--dry-run"])
    let size = "56.0 KiB"
    #expect(
      dry.output == """
        acme/tiny version \(names[0]) (\(size)) would go
        acme/tiny version \(names[1]) (\(size)) stays: pinned
        acme/tiny version \(names[2]) (\(size)) stays: previous
        acme/tiny version \(names[3]) (\(size)) stays: active

        """
    )
    #expect(try DiskTree(at: home.store) == before)
    let outcome = try await home.run(["gc"])
    #expect(outcome.output == "acme/tiny version \(names[0]) (\(size)) is gone\n")
    #expect(outcome.errors == "\(size) freed\n")
    #expect(home.oracle().versions == ["1.1.0", "1.2.0", "1.3.0"])
    #expect(home.oracle().litter.isEmpty)
    _ = try await home.run(["unpin", "acme/tiny@1.1.0"])
    let events = try await home.run(["gc", "--json"]).events()
    let items = events.filter { $0["event"] == "item" }
    #expect(items.map { $0["dir"] } == names[1...].map { .string($0) })
    #expect(items.map { $0["removed"] } == [true, nil, nil])
    #expect(items.map { $0["kept"] } == [nil, "previous", "active"])
  }

  @Test func `while the record cannot be read nothing goes, and doctor writes it anew`()
    async throws
  {
    let home = try await home(["1.0.0", "1.1.0", "1.2.0"])
    let record = "\(home.oracle().folder)/active.json"
    try Data().write(to: URL(filePath: record))
    try await home.run(["gc", "--keep", "0"]).expectRefusal(
      8,
      "the active record of acme/tiny cannot be read; no version of it was removed",
      help: "sealift doctor acme/tiny shows the choices"
    )
    #expect(home.oracle().versions == ["1.0.0", "1.1.0", "1.2.0"])
    try await home.run(["rollback", "acme/tiny"]).expectRefusal(
      8,
      "the active record of acme/tiny cannot be read",
      note: "there is version 1.1.0",
      help: "sealift doctor --fix writes a new one if it is plain which version was active"
    )
    let look = try await home.run(["doctor"])
    #expect(look.exitCode == 8)
    #expect(look.output == "acme/tiny: write the active record anew, with 1.2.0\n")
    let fixed = try await home.run(["doctor", "--fix"])
    #expect(fixed.ending == .exited(0), "\(fixed.errors)")
    #expect(fixed.output == "acme/tiny: write the active record anew, with 1.2.0: done\n")
    #expect(try home.oracle().active()?.version == "1.2.0")
    #expect(try await home.run(["gc"]).ending == .exited(0))
    #expect(home.oracle().versions == ["1.1.0", "1.2.0"])
    let calm = try await home.run(["doctor"])
    #expect(calm.ending == .exited(0) && calm.errors == "nothing to do\n")
  }

  @Test func `what is removed comes back without a byte from a mirror, unless it was purged`()
    async throws
  {
    let home = try await home(["1.0.0", "1.1.0"])
    let manifest = try home.publish(release("1.0.0"))
    #expect(try await home.run(["remove", "acme/tiny@1.0.0"]).ending == .exited(0))
    try FileManager.default.removeItem(atPath: "\(home.folder)/blobs-1.0.0")
    let install = ["install", manifest, "--mirror", "file://\(home.folder)/blobs-1.0.0/{name}"]
    let back = try await home.run(install + ["--no-activate"])
    #expect(back.ending == .exited(0), "\(back.errors)")
    #expect(back.errors.hasPrefix("1.0.0 was removed not long ago and is had back\n"))
    #expect(try await home.run(["remove", "acme/tiny@1.0.0", "--purge"]).ending == .exited(0))
    #expect(try await home.run(install + ["--no-activate"]).exitCode == 4)
  }

  @Test func `what was removed before is purged when that is asked later`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    let purge = ["remove", "acme/tiny@1.0.0", "--purge"]
    #expect(try await home.run(["remove", "acme/tiny@1.0.0"]).ending == .exited(0))
    #expect(home.oracle().names(in: "trash").contains { $0.hasPrefix("1.0.0-") })
    let purged = try await home.run(purge)
    #expect(purged.ending == .exited(0), "\(purged.errors)")
    #expect(!home.oracle().names(in: "trash").contains { $0.hasPrefix("1.0.0-") })
    try await home.run(purge).expectRefusal(3, "acme/tiny 1.0.0 is not in the store")
  }

  @Test func `an install tells which versions it took away`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    let next = release("1.2.0")
    let install = [
      "install", try home.publish(next), "--mirror", try home.fileMirror(next, in: "b"),
    ]
    let outcome = try await home.run(install)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("1.0.0 is gone, which no rule keeps: 56.0 KiB freed\n"))
    #expect(home.oracle().versions == ["1.1.0", "1.2.0"])
  }

  @Test func `interrupted downloads are shown, and go when that is asked`() async throws {
    let home = try await home(["1.0.0"])
    let next = release("1.1.0")
    let manifest = try home.publish(next)
    let failed = try await home.run([
      "install", manifest, "--mirror", "file://\(home.folder)/none/{name}",
    ])
    #expect(failed.exitCode == 4)
    let status = try await home.run(["status"])
    #expect(status.output.contains("  candidate 1.1.0: "))
    #expect(
      status.output.contains(
        " on disk, interrupted by the network, resumed by the next install\n"
      )
    )
    let event = try await home.run(["status", "--json"]).events().first
    let reason = "1.1.0 was interrupted by the network; trying again may help"
    #expect(event?["reasons"] == .array([.string(reason)]))
    #expect(try await home.run(["gc"]).ending == .exited(0))
    #expect(home.oracle().candidates.count == 1)
    #expect(try await home.run(["gc", "--staging"]).ending == .exited(0))
    #expect(home.oracle().candidates.isEmpty)
  }

  @Test func `a store that was restored without its bytes says what to do`() async throws {
    let home = try await home(["1.0.0"])
    let versions = "\(home.oracle().folder)/versions"
    let chmod = try #require(Tool.installed("chmod"))
    _ = try await chmod.run(["-R", "u+w", versions])
    try FileManager.default.removeItem(atPath: versions)
    let words = """
      1.0.0 is recorded as active and its bytes are not here, as after a backup was restored; install it again
      """
    let status = try await home.run(["status"])
    #expect(status.output == "acme/tiny: notDownloaded 1.0.0\n  \(words)\n")
    let doctor = try await home.run(["doctor"])
    #expect(doctor.exitCode == 10)
    #expect(doctor.output.hasSuffix("acme/tiny: \(words)\n"))
    // The manifest is in the backup, and is all that it takes.
    let kept = try #require(home.oracle().names(in: "manifests").first)
    let again = try await home.run([
      "install", "\(home.oracle().folder)/manifests/\(kept)", "--mirror",
      "file://\(home.folder)/blobs-1.0.0/{name}",
    ])
    #expect(again.ending == .exited(0), "\(again.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `a model that is not there is exit code 3`() async throws {
    let home = try await home(["1.0.0"])
    for command in [
      ["gc", "acme/none"], ["doctor", "acme/none"], ["pin", "acme/none"], ["unpin", "acme/none"],
      ["mark", "bad", "acme/none"], ["mark", "good", "acme/none"],
    ] {
      try await home.run(command).expectRefusal(
        3,
        "acme/none is not in the store",
        help: "sealift list shows what is"
      )
    }
  }
}
