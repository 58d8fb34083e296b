import Foundation
import Glibc
import TestSupport
import Testing

/// Disks that are full or not to be written, and folders of other users.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerDiskTests {
  private static let users = Tool.installed("setpriv") != nil && geteuid() == 0

  private let old = ConsumerRelease(files: ["weights.bin": .random(300_000)])
  private let new = ConsumerRelease(
    version: "1.1.0",
    files: ["weights.bin": .random(6_000_000, seed: 2)]
  )

  /// Runs a script in mounts of its own; in it `sealift` is the built tool with the places of `home`.
  private func script(_ text: String, _ home: ConsumerHome) async throws -> ToolOutcome {
    var shell = try #require(Tool.installed("unshare"))
    shell.environment = home.tool.environment
    shell.timeout = .seconds(120)
    let start = """
      sealift() { "\(home.tool.path)" "$@" \(home.places.joined(separator: " ")); }
      store=\(home.store)
      """
    return try await shell.run(["-m", "sh", "-c", "\(start)\n\(text)"])
  }

  @Test(.enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `a full disk is found before the download, costs nothing, and is no obstacle later`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let mirrors = [try home.fileMirror(old, in: "old"), try home.fileMirror(new, in: "new")]
    let outcome = try await script(
      """
      mkdir -m 700 $store
      mount -t tmpfs -o size=4m,mode=0700 tmpfs $store
      sealift install \(try home.publish(old)) --mirror \(mirrors[0]) >/dev/null || exit 90
      sealift install \(try home.publish(new)) --mirror \(mirrors[1])
      echo "exit $?"
      sealift status
      mount -o remount,size=32m $store
      sealift install \(try home.publish(new)) --mirror \(mirrors[1]) >/dev/null
      echo "exit $?"
      sealift status
      """,
      home
    )
    #expect(
      outcome.output == """
        exit 8
        acme/tiny: active 1.0.0
          candidate 1.1.0: 12.0 KiB on disk, interrupted by a full disk, resumed by the next install
        exit 0
        acme/tiny: active 1.1.0
          previous 1.0.0

        """,
      "\(outcome.errors)"
    )
    #expect(
      outcome.errors.contains("error: not enough space on the disk of the store\n  note: needed: ")
    )
    #expect(outcome.errors.contains("  help: free "))
  }

  @Test(.enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `of what was removed goes as much as a download needs, the oldest first, or nothing`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    var installs: [String] = []
    for (minor, size) in [
      (0, 100_000), (1, 2_500_000), (2, 2_500_000), (3, 3_600_000), (4, 9_000_000),
    ] {
      let release = ConsumerRelease(
        version: "1.\(minor).0",
        files: ["weights.bin": .random(size, seed: UInt64(minor))]
      )
      let mirror = try home.fileMirror(release, in: "blobs-\(minor)")
      installs.append("sealift install \(try home.publish(release)) --mirror \(mirror) --no-gc")
    }
    let outcome = try await script(
      """
      mkdir -m 700 $store
      mount -t tmpfs -o size=8m,mode=0700 tmpfs $store
      trash() { ls $store/models/acme+tiny/trash | cut -c1-5; }
      exec 3>&1 >/dev/null
      \(installs[0]) && \(installs[1]) --no-activate && \(installs[2]) --no-activate || exit 90
      sealift remove acme/tiny@1.2.0 && sealift remove acme/tiny@1.1.0 || exit 91
      \(installs[4]) --no-activate; echo "exit $?" >&3
      trash >&3
      \(installs[3]); echo "exit $?" >&3
      trash >&3
      """,
      home
    )
    #expect(
      outcome.output == "exit 8\n1.1.0\n1.2.0\nCACHE\nexit 0\n1.1.0\nCACHE\n",
      "\(outcome.errors)"
    )
  }

  @Test(.enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `a disk without inodes left is exit code 8 too`() async throws {
    let home = try await ConsumerHome.trusting()
    let many = ConsumerRelease(
      files: Dictionary(
        uniqueKeysWithValues: (0..<200).map { ("\($0).bin", .random(10, seed: UInt64($0))) }
      )
    )
    let mirror = try home.fileMirror(many)
    let outcome = try await script(
      """
      mkdir -m 700 $store
      mount -t tmpfs -o size=64m,nr_inodes=100,mode=0700 tmpfs $store
      sealift install \(try home.publish(many)) --mirror \(mirror)
      """,
      home
    )
    outcome.expectRefusal(8, "not enough inodes on the disk of the store", note: "needed: 200")
  }

  @Test(.enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `a read-only store is read and not written`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(old)
    try await home.installed(new)
    var next = new
    next.version = "1.2.0"
    let mirror = try home.fileMirror(next)
    let path = try #require(try home.oracle().active()?.path)
    let outcome = try await script(
      """
      mount --bind $store $store && mount -o remount,bind,ro $store || exit 90
      for verb in status list "path acme/tiny"; do sealift $verb || exit 91; done
      for verb in "install \(try home.publish(next)) --mirror \(mirror)" \
        "activate acme/tiny@1.0.0" "rollback acme/tiny" "remove acme/tiny"; do
        sealift $verb
        echo "exit $?"
      done
      """,
      home
    )
    #expect(
      outcome.output == """
        acme/tiny: active 1.1.0
          previous 1.0.0
        MODEL      VERSION  STATE   NOTES
        acme/tiny  1.0.0    ready   previous
        acme/tiny  1.1.0    active
        \(path)
        exit 8
        exit 8
        exit 8
        exit 8

        """,
      "\(outcome.errors)"
    )
    let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 4)
    #expect(errors.allSatisfy { $0.contains("read-only file system") }, "\(errors)")
    #expect(errors.allSatisfy { $0.contains(home.store) }, "\(errors)")
  }

  @Test(.enabled(if: users, "needs root and setpriv"))
  func `another user reads a store that is open to read, and changes none`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(old)
    let mirror = try home.fileMirror(new)
    let manifest = try home.publish(new)
    let other = try #require(Tool.installed("setpriv")).path
    let user = "\(other) --reuid=65534 --regid=65534 --clear-groups"
    let tool = home.tool.path
    let open = "chmod 755 \(home.folder) \(home.folder)/config; chmod 644 \(home.folder)/config/*"
    // The tool itself may lie where the other user has no way; a descriptor leads there.
    let outcome = try await script(
      """
      \(open)
      sealift() { \(user) /proc/self/fd/9 "$@" \(home.places.joined(separator: " ")); }
      exec 9<"\(tool)"
      sealift status
      echo "exit $?"
      sealift install \(manifest) --mirror \(mirror)
      echo "exit $?"
      """,
      home
    )
    #expect(outcome.output == "exit 8\nexit 8\n", "\(outcome.errors)")
    let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(
      errors == [
        "error: \(home.store): permission denied", "error: \(home.store): permission denied",
      ],
      "\(outcome.errors)"
    )
  }

  @Test(.enabled(if: users, "needs root and setpriv"))
  func `another user looks at a store for all, and is told whose it is when he would change it`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let user =
      "\(try #require(Tool.installed("setpriv")).path) --reuid=65534 --regid=65534 --clear-groups"
    let outcome = try await script(
      """
      mkdir -m 755 $store
      chmod 755 \(home.folder) \(home.folder)/config; chmod 644 \(home.folder)/config/*
      sealift install \(try home.publish(old)) --mirror \(try home.fileMirror(old)) >/dev/null 2>&1 || exit 90
      sealift() { \(user) /proc/self/fd/9 "$@" \(home.places.joined(separator: " ")); }
      exec 9<"\(home.tool.path)"
      for command in status list "path acme/tiny" doctor "gc --dry-run" gc "remove acme/tiny"; do
        sealift $command >/dev/null; echo "$command $?"
      done
      """,
      home
    )
    #expect(
      outcome.output == """
        status 0
        list 0
        path acme/tiny 0
        doctor 0
        gc --dry-run 0
        gc 8
        remove acme/tiny 8

        """,
      "\(outcome.errors)"
    )
    let helps = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("  help: ") }
    #expect(
      helps
        == Array(
          repeating: "  help: let its owner do it, or keep a store of your own with --store",
          count: 2
        )
    )
  }

  @Test func `a store that others can write is refused`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(old)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home.store)
    let mirror = try home.fileMirror(new)
    try await home.run(["install", try home.publish(new), "--mirror", mirror]).expectRefusal(
      8,
      "\(home.store) is not yours alone",
      note: "it belongs to user \(geteuid()) and has mode 777",
      help: "own it and take write permission from others: chmod go-w"
    )
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `a folder with something else in it does not become a store`() async throws {
    let home = try await ConsumerHome.trusting()
    try FileManager.default.createDirectory(
      atPath: home.store,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    _ = try home.write(Array("mine".utf8), to: "store/diary.txt")
    let mirror = try home.fileMirror(old)
    try await home.run(["install", try home.publish(old), "--mirror", mirror]).expectRefusal(
      8,
      "\(home.store) is not a store of this version of sealift",
      note: "found: diary.txt"
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.store) == ["diary.txt"])
  }
}
