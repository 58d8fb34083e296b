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
}
