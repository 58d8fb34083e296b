import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct FileLockTests {
  private let folder: String

  init() { folder = TemporaryFolder.current }

  /// Whether the lock can be taken now; it is let go at once.
  private func canTake(_ strength: FileLock.Strength) throws -> Bool {
    let lock = try FileLock.take("lock", in: Folder(path: folder), strength, mode: 0o600)
    return lock != nil
  }

  private func hold(_ strength: FileLock.Strength) throws -> FileLock {
    let lock = try FileLock.wait(for: "lock", in: Folder(path: folder), strength, mode: 0o600)
    guard let lock else { throw SupportError.notStarted("lock") }
    return lock
  }

  @Test func `who waits for a lock can be stopped, and then has none`() throws {
    let first = try hold(.exclusive)
    var tries = 0
    let second = try FileLock.wait(
      for: "lock",
      in: Folder(path: folder),
      .exclusive,
      mode: 0o600,
      while: {
        tries += 1
        return tries < 3
      }
    )
    let isHeld = second != nil
    #expect(!isHeld)
    #expect(tries == 3)
    first.release()
    #expect(try canTake(.exclusive))
  }

  @Test func `a second holder is refused until the first one lets go`() throws {
    let first = try hold(.exclusive)
    #expect(try !canTake(.exclusive))
    #expect(try Folder(path: folder).isLocked("lock"))
    first.release()
    #expect(try canTake(.exclusive))
    #expect(try !Folder(path: folder).isLocked("lock"))
  }

  @Test func `shared holders share, and keep an exclusive one out`() throws {
    let first = try hold(.shared)
    #expect(try canTake(.shared))
    #expect(try !canTake(.exclusive))
    first.release()
  }

  @Test func `a lock that nobody ever took is not held`() throws {
    #expect(try !Folder(path: folder).isLocked("lock"))
  }

  @Test func `a link in the place of a lock file is refused`() throws {
    try Folder(path: folder).replaceLink("lock", target: "/etc/passwd")
    let error = #expect(throws: SystemError.self) { try canTake(.exclusive) }
    #expect(error?.isEscape == true)
  }
}
