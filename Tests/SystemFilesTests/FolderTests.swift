import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct FolderTests {
  private func here() throws -> Folder { try Folder(path: TemporaryFolder.current) }

  private func makeLink(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.current + "/" + name,
      withDestinationPath: target
    )
  }

  @Test(arguments: ["../x", "/etc/passwd", "link/passwd", "file-link", "a/../../x"])
  func `a path that leaves its folder or meets a link is refused`(path: String) throws {
    let folder = try here()
    try folder.createFolder("a", mode: 0o755)
    try makeLink("link", to: "/etc")
    try makeLink("file-link", to: "/etc/passwd")
    do {
      _ = try folder.openFile(path)
      Issue.record("opened \(path)")
    } catch {
      #expect(error.isEscape)
    }
  }

  @Test(arguments: ["../x", "/etc/passwd", "link/passwd", "file-link", "a/../../x", "a/..", "link"])
  func `without openat2 a path that leaves its folder or meets a link is refused too`(
    path: String
  ) throws {
    let folder = try here()
    try folder.createFolder("a", mode: 0o755)
    try makeLink("link", to: "/etc")
    try makeLink("file-link", to: "/etc/passwd")
    for flags in [O_RDONLY, O_RDONLY | O_DIRECTORY] {
      do {
        close(try folder.openInSteps(path, flags: flags | O_CLOEXEC | O_NOFOLLOW, mode: 0))
        Issue.record("opened \(path)")
      } catch {
        #expect(error.isEscape, "\(error)")
      }
    }
  }

  @Test func `without openat2 files are opened and made beneath a folder too`() throws {
    let folder = try here()
    try folder.createFolder("a", mode: 0o755)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    close(try folder.openInSteps("a/./f", flags: flags, mode: 0o600))
    #expect(try folder.openFile("a/f").status().mode == 0o600)
    #expect(throws: SystemError("openat", code: EEXIST, path: "a/f")) {
      try folder.openInSteps("a/f", flags: flags, mode: 0o600)
    }
    #expect(throws: SystemError("openat", code: ENOTDIR, path: "a/f/g")) {
      try folder.openInSteps("a/f/g", flags: O_RDONLY, mode: 0)
    }
  }

  @Test(arguments: ["", "a\0b"])
  func `a path that C would cut short is refused`(path: String) throws {
    #expect(throws: SystemError("openat2", code: EINVAL, path: path)) {
      _ = try here().openFile(path)
    }
  }

  @Test func `a FIFO is refused at once and not waited for`() throws {
    try #require(unsafe mkfifo(TemporaryFolder.current + "/pipe", 0o600) == 0)
    #expect(throws: SystemError("openat2", code: EINVAL, path: "pipe")) {
      _ = try here().openFile("pipe")
    }
  }

  @Test func `a file is created once, with exactly its mode`() throws {
    let before = umask(0o077)
    defer { umask(before) }
    let folder = try here()
    #expect(try folder.createFile("f", mode: 0o644).status().mode == 0o644)
    #expect(throws: SystemError("openat2", code: EEXIST, path: "f")) {
      _ = try folder.createFile("f", mode: 0o644)
    }
  }

  @Test func `replacing a file gives the new bytes in a new inode and leaves nothing else`() throws
  {
    let folder = try here()
    try folder.replaceFile("f", with: Array("old".utf8), mode: 0o600)
    let old = try #require(try folder.status(of: "f"))
    try folder.replaceFile("f", with: Array("new".utf8), mode: 0o600)
    #expect(try folder.readFile("f", limit: 10) == Array("new".utf8))
    #expect(try folder.status(of: "f")?.identity != old.identity)
    #expect(try folder.entries().map(\.name) == ["f"])
  }

  @Test func `a rename without replacing refuses what is there, an empty folder too`() throws {
    let folder = try here()
    try folder.createFolder("new", mode: 0o755)
    try folder.createFolder("there", mode: 0o755)
    #expect(throws: SystemError("renameat2", code: EEXIST, path: "there")) {
      try folder.renameWithoutReplacing("new", to: folder, "there")
    }
    try folder.renameWithoutReplacing("new", to: folder, "free")
    #expect(try folder.entries().map(\.name) == ["free", "there"])
  }

  @Test func `removing a tree removes read-only folders and follows no link`() throws {
    let folder = try here()
    let canary = try Folder(creating: TemporaryFolder.current + "/outside/deep", mode: 0o755)
    try canary.replaceFile("canary", with: [1], mode: 0o644)
    let tree = try Folder(creating: TemporaryFolder.current + "/tree/inner", mode: 0o755)
    try tree.replaceFile("f", with: [1], mode: 0o444)
    try makeLink("tree/inner/link", to: TemporaryFolder.current + "/outside")
    try tree.setMode(0o555)
    try folder.removeTree("tree")
    #expect(try folder.status(of: "tree") == nil)
    #expect(try canary.readFile("canary", limit: 10) == [1])
  }

  @Test func `removing a tree removes names that are no text`() throws {
    let folder = try here()
    let inner = try Folder(creating: TemporaryFolder.current + "/tree/inner", mode: 0o755)
    let tidy = try makeFileWithoutText(in: TemporaryFolder.current + "/tree/inner")
    defer { tidy() }
    try #require(try inner.entries().map(\.name) == ["\u{FFFD}"])
    try folder.removeTree("tree")
    #expect(try folder.status(of: "tree") == nil)
  }

  @Test func `removing a tree removes a file or a link, and minds nothing that is missing`() throws
  {
    let folder = try here()
    try folder.replaceFile("f", with: [1], mode: 0o444)
    try makeLink("link", to: "f")
    try folder.removeTree("link")
    #expect(try folder.entries().map(\.name) == ["f"])
    try folder.removeTree("f")
    try folder.removeTree("f")
    #expect(try folder.entries() == [])
  }

  @Test(arguments: [false, true])
  func `two names change places`(inSteps: Bool) throws {
    let one = try here().makeFolder("one", mode: 0o755)
    let two = try here().makeFolder("two", mode: 0o755)
    _ = try one.makeFolder("tree", mode: 0o700)
    _ = try two.makeFolder("1.0", mode: 0o755)
    if inSteps {
      try one.exchangeInSteps("tree", with: two, "1.0")
    } else {
      try one.exchange("tree", with: two, "1.0")
    }
    #expect(try one.status(of: "tree")?.mode == 0o755)
    #expect(try two.status(of: "1.0")?.mode == 0o700)
    #expect(try one.entries().count == 1 && two.entries().count == 1)
  }

  @Test func `an exchange in steps that cannot be done leaves both as they were`() throws {
    let folder = try here()
    try folder.createFolder("there", mode: 0o755)
    #expect(throws: SystemError("renameat", code: ENOENT, path: "there")) {
      try folder.exchangeInSteps("missing", with: folder, "there")
    }
    #expect(try folder.entries().map(\.name) == ["there"])
  }

  @Test func `a link that cannot be replaced leaves no other name`() throws {
    let folder = try here()
    try folder.createFolder("current", mode: 0o755)
    #expect(throws: SystemError("renameat", code: EISDIR, path: "current")) {
      try folder.replaceLink("current", target: "versions/1")
    }
    #expect(try folder.entries().map(\.name) == ["current"])
  }

  @Test(arguments: [10_413_792_000, -10_413_792_000])
  func `a time too far off to count in nanoseconds is no crash`(seconds: Int) throws {
    let file = try here().createFile("f", mode: 0o600)
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    try #require(unsafe futimens(file.descriptor, [time, time]) == 0)
    let status = try file.status()
    #expect(seconds > 0 ? status.modifiedAt > 2_000_000_000_000_000_000 : status.modifiedAt < 0)
  }

  @Test func `a link is replaced at one instant and read back`() throws {
    let folder = try here()
    #expect(try folder.linkTarget("current") == nil)
    try folder.replaceLink("current", target: "versions/1")
    try folder.replaceLink("current", target: "versions/2")
    #expect(try folder.linkTarget("current") == "versions/2")
    #expect(try folder.entries().map(\.kind) == [.link])
  }

  @Test func `a folder is made with its parents, and made again without harm`() throws {
    let path = TemporaryFolder.current + "/a/b/c"
    let identity = try Folder(creating: path, mode: 0o700).status().identity
    #expect(try Folder(creating: path, mode: 0o700).status().identity == identity)
    #expect(try Folder(path: path).status().mode == 0o700)
  }

  @Test func `no device, pipe or socket is replaced by a file`() throws {
    let path = TemporaryFolder.path("pipe")
    let isMade = unsafe mkfifo(path, 0o600) == 0
    try #require(isMade)
    let error = #expect(throws: SystemError.self) {
      try replaceFile(at: path, with: [1], mode: 0o644)
    }
    #expect(error?.code == EOPNOTSUPP)
    #expect(try Folder(path: TemporaryFolder.current).status(of: "pipe")?.kind == .other)
  }
}
