import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct FileLockTests {
  @Test func `a second holder is refused until the first one lets go`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    do {
      let first = try FileLock.take("lock", in: folder, .exclusive, mode: 0o600)
      let second = try FileLock.take("lock", in: folder, .exclusive, mode: 0o600)
      #expect(first != nil)
      #expect(second == nil)
    }
    let third = try FileLock.take("lock", in: folder, .exclusive, mode: 0o600)
    #expect(third != nil)
  }

  @Test func `shared holders share, and keep an exclusive one out`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    let first = try FileLock.take("lock", in: folder, .shared, mode: 0o600)
    let second = try FileLock.take("lock", in: folder, .shared, mode: 0o600)
    let writer = try FileLock.take("lock", in: folder, .exclusive, mode: 0o600)
    #expect(first != nil)
    #expect(second != nil)
    #expect(writer == nil)
  }

  @Test func `a link in the place of a lock file is refused`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.replaceLink("lock", target: "/etc/passwd")
    do {
      _ = try FileLock.take("lock", in: folder, .exclusive, mode: 0o600)
      Issue.record("locked through a link")
    } catch {
      #expect(error.isEscape)
    }
  }
}
