import Glibc
import SystemFiles
import TestSupport
import Testing

/// What the kernel says of files that others use, and of the places where they lie.
@Suite(.temporaryFolder) struct FileUseTests {
  private let folder: String

  init() { folder = TemporaryFolder.current }

  private func write(_ name: String, _ text: String = "text") throws {
    try replaceFile(at: "\(folder)/\(name)", with: Array(text.utf8), mode: 0o644)
  }

  /// Nanoseconds.
  @Test(arguments: [
    (stamp: 5_000_000_001, moment: 5_000_000_001, shows: false),
    (stamp: 5_000_000_001, moment: 5_000_000_002, shows: true),
    (stamp: 5_000_000_000, moment: 5_999_999_999, shows: false),
    (stamp: 5_000_000_000, moment: 7_000_000_000, shows: false),
    (stamp: 5_000_000_000, moment: 7_000_000_001, shows: true),
  ])
  func `a change shows in a later stamp, which may be of whole seconds`(
    stamp: Int,
    moment: Int,
    shows: Bool
  ) {
    #expect(FileStatus.shows(changeAt: moment, after: stamp) == shows)
  }

  @Test func `the first hole is where nothing was written, or the end`() throws {
    let folder = try Folder(path: folder)
    let file = try folder.createFile("holes", mode: 0o600)
    try file.write(Array(repeating: 1, count: 1 << 16).span, at: 0)
    #expect(try file.firstHole() == 1 << 16)
    try file.setSize(1 << 17)
    #expect(try file.firstHole() == 1 << 16)
  }

  @Test func `direct reads of a file in memory do not go past the page cache`() throws {
    let memory = try Folder(path: "/dev/shm")
    let name = "sealift-\(randomName())"
    let file = try memory.createFile(name, mode: 0o600)
    try memory.removeFile(name)
    #expect(try !file.goesPastPageCache())
  }

  @Test func `a file is in use while another descriptor has it open, in whatever process`()
    async throws
  {
    try write("a")
    let file = try Folder(path: folder).openFile("a")
    #expect(try !file.isInUseElsewhere())
    do {
      let other = try Folder(path: folder).openFile("a")
      #expect(try file.isInUseElsewhere())
      withExtendedLifetime(other.descriptor) {}
    }
    #expect(try !file.isInUseElsewhere())
    let tail = try #require(Tool.installed("tail"))
    let reader = try tail.start(["-f", "\(folder)/a"])
    #expect(await reader.waitForOutput { $0 == "text" })
    #expect(try file.isInUseElsewhere())
    reader.kill()
    _ = await reader.wait()
    #expect(try !file.isInUseElsewhere())
  }

  @Test func `asking leaves the signal of leases as it was`() throws {
    try write("a")
    let file = try Folder(path: folder).openFile("a")
    _ = try file.isInUseElsewhere()
    let mask = try OpenFile(reading: "/proc/self/status").readAll(limit: 1 << 16)
    let line = try #require(
      String(decoding: mask, as: UTF8.self).split(separator: "\n").first {
        $0.hasPrefix("SigIgn:")
      }
    )
    let ignored = try #require(
      UInt64(line.dropFirst(7).trimmingPrefix { $0.isWhitespace }, radix: 16)
    )
    #expect(ignored & 1 << UInt64(SIGIO - 1) == 0)
  }

  @Test func `leftovers of a replacement go, and names that only look like them stay`() throws {
    let digits = "0123456789abcdef0123456789abcdef"
    let word = "of-the-third-of-november-at-noon"
    for name in ["a", "a.\(digits)", "a.\(digits)0", "a.\(word)", "b.\(digits)", "a.old"] {
      try write(name)
    }
    try Folder(path: folder).removeLeftovers(of: "a")
    let names = try Folder(path: folder).entries().map(\.name)
    #expect(names == ["a", "a.\(digits)0", "a.\(word)", "a.old", "b.\(digits)"])
  }

  @Test func `files move one by one into new folders`() throws {
    _ = try Folder(creating: "\(folder)/old", mode: 0o700)
    _ = try Folder(creating: "\(folder)/old/deep", mode: 0o700)
    try write("old/one")
    try write("old/deep/two")
    let new = try Folder(creating: "\(folder)/new", mode: 0o700)
    try Folder(path: "\(folder)/old").moveFiles(to: new, mode: 0o750)
    #expect(
      try DiskTree(at: folder).lines == [
        "0700 new/", "0750 new/deep/", "0644 new/deep/two", "0644 new/one", "0700 old/",
        "0700 old/deep/",
      ]
    )
  }

  @Test func `entries move as they are, whatever their kind, name and mode`() throws {
    for name in ["old", "old/deep", "new"] {
      _ = try Folder(creating: "\(folder)/\(name)", mode: 0o700)
    }
    for name in ["old/one", "old/two", "old/deep/three"] { try write(name) }
    try makeLink(at: "\(folder)/old/link", to: "two")
    try makePipe(at: "\(folder)/old/pipe")
    try setMode(of: "\(folder)/old/deep", 0o500)
    let old = try Folder(path: "\(folder)/old")
    let new = try Folder(path: "\(folder)/new")
    #expect(try !old.moveEntries(to: new) { $0.name == "none" })
    #expect(try old.moveEntries(to: new) { $0.name != "two" })
    _ = try makeFileWithoutText(in: "\(folder)/old")
    #expect(try old.moveEntries(to: new) { $0.kind == .file && $0.name != "two" })
    #expect(
      try DiskTree(at: folder).lines == [
        "0700 new/", "0700 new/deep/", "0644 new/deep/three", "new/link -> two", "0644 new/one",
        "0600 new/pipe", "0700 old/", "0644 old/two",
      ]
    )
    #expect(try new.entries().count == 5)
  }

  @Test func `an attribute is set and taken away where the file system has any`() throws {
    let place = try Folder(path: folder)
    guard try place.setAttribute("user.sealift.test", to: "1") else { return }
    #expect(try place.setAttribute("user.sealift.test", to: nil))
    #expect(try place.setAttribute("user.sealift.test", to: nil))
  }

  @Test func `a lock that is kept across exec stays with the program that comes next`() async throws
  {
    await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
      let lock = try FileLock.take("lock", in: Folder(path: folder), .shared, mode: 0o644)
      guard let lock else { return }
      try lock.keepAcrossExec()
      // The next program finds the lock held, by itself.
      try replaceProcess(
        with: ["sh", "-c", "flock -n -x \"$LOCK\" true && exit 1; exit 7"],
        settings: [("LOCK", "\(folder)/lock")]
      )
    }
  }

  @Test func `a program that is not there is told as such`() {
    #expect(throws: SystemError("execve", code: ENOENT, path: "no-such-program")) {
      try replaceProcess(with: ["no-such-program"], settings: [])
    }
  }

  @Test func `a group is found by its name or its number`() throws {
    #expect(try groupNumber(named: "root") == 0)
    #expect(try groupNumber(named: "4242") == 4242)
    #expect(try groupNumber(named: "no-such-group") == nil)
  }
}
