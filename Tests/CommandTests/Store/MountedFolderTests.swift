import Glibc
import SystemFiles
import TestSupport
import Testing

/// Folders that are mounted where a store deletes.
@Suite(.temporaryFolder)
struct MountedFolderTests {
  @Test(.enabled("needs the right to mount") { await mayMount() })
  func `deletion stops at a folder of the same file system that is mounted`() async throws {
    let (outside, place) = ("\(TemporaryFolder.current)/outside", "tree/inner/mounted")
    let canary = try Folder(creating: outside, mode: 0o755)
    try canary.replaceFile("canary", with: [1], mode: 0o644)
    _ = try Folder(creating: "\(TemporaryFolder.current)/\(place)", mode: 0o755)
    let before = try DiskTree(at: outside)
    let folder = try Folder(path: TemporaryFolder.current)
    try await whileMounted(["--bind", outside, "\(TemporaryFolder.current)/\(place)"]) {
      #expect(throws: SystemError("unlinkat", code: EXDEV, path: "mounted")) {
        try folder.removeTree("tree")
      }
      let after = try DiskTree(at: outside)
      #expect(after == before)
    }
    try folder.removeTree("tree")
    #expect(try folder.entries().map(\.name) == ["outside"])
  }
}
