import SystemFiles
import TestSupport
import Testing

struct TemporaryFolderTests {
  @Test func `without the trait there is no folder`() {
    #expect(TemporaryFolder.current == "/nonexistent")
  }

  @Test(.temporaryFolder, arguments: [1, 2])
  func `each case has a folder of its own`(number: Int) throws {
    let folder = try Folder(path: TemporaryFolder.current)
    let entries = try folder.entries()
    #expect(entries.isEmpty)
    try folder.replaceFile("a", with: [UInt8(number)], mode: 0o444)
    let mode = try folder.status().mode
    #expect(mode == 0o700)
  }

  @Test func `a folder goes with all that is in it, read-only trees included`() throws {
    var own: OwnFolder? = try OwnFolder()
    let path = try #require(own?.path)
    let tree = try Folder(creating: "\(path)/versions/1/files", mode: 0o755)
    try tree.replaceFile("a", with: [1], mode: 0o444)
    try tree.setMode(0o555)
    try Folder(path: "\(path)/versions/1").setMode(0o555)
    own = nil
    let (parent, name) = splitPath(path)
    let status = try Folder(path: parent).status(of: name)
    #expect(status == nil)
  }
}
