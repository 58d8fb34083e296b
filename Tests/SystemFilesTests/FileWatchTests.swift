import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
final class FileWatchTests {
  private let folder: Folder
  private let file: OpenFile

  init() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    let file = try folder.createFile("file", mode: 0o600)
    self.folder = folder
    self.file = file
  }

  /// What is seen after each of these, and at once once more.
  private func seen(after steps: [() throws -> Void]) throws -> [Bool] {
    let watch = try FileWatch(file)
    return try steps.map { step in
      try step()
      return watch.hasSeen()
    }
  }

  @Test func `what is written through a descriptor from before is not seen`() throws {
    let seen = try seen(after: [
      { try self.file.write([1, 2].span, at: 0) },
      { _ = try self.file.readBlock(count: 2, at: 0) },
      { try self.file.sync() },
    ])
    #expect(seen == [false, false, false])
  }

  @Test func `whoever opens the file is seen, for reading too, and once`() throws {
    let seen = try seen(after: [
      {},
      { _ = try self.folder.openFile("file") },
      {},
      { _ = try self.folder.openFileForWriting("file") },
      {},
    ])
    #expect(seen == [false, true, false, true, false])
  }

  @Test func `a writer from before is seen when it closes`() throws {
    let writer = try folder.openFileForWriting("file")
    let watch = try FileWatch(file)
    try writer.write([1].span, at: 0)
    let hasSeenWrite = watch.hasSeen()
    _ = consume writer
    let hasSeenEnd = watch.hasSeen()
    #expect(!hasSeenWrite && hasSeenEnd)
  }

  @Test func `a changed mode is seen, and what happens to other files is not`() throws {
    let seen = try seen(after: [
      { _ = try self.folder.createFile("other", mode: 0o600) },
      { try self.file.setMode(0o400) },
    ])
    #expect(seen == [false, true])
  }
}
