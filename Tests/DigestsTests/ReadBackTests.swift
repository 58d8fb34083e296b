import Digests
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct ReadBackTests {
  private let path = TemporaryFolder.path("file")

  private func status() throws -> FileStatus { try OpenFile(reading: path).status() }

  private func make() throws -> (ReadBack, ContinuousClock.Instant) {
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.replaceFile("file", with: [1, 2, 3], mode: 0o600)
    let status = try status()
    while !status.showsNextChange {}
    let now = ContinuousClock.now
    let times = [0: now, 1: now - .seconds(59), 2: now - .seconds(61)]
    return (ReadBack(status, times), now)
  }

  @Test func `chunks count for a minute after they were read`() throws {
    let (readBack, now) = try make()
    #expect(readBack.chunks(of: try status(), at: now) == [0, 1])
    #expect(readBack.chunks(of: try status(), at: now + .seconds(2)) == [0])
    #expect(readBack.chunks(of: try status(), at: now + .seconds(62)) == [])
  }

  @Test func `nothing counts once the file was written, even with the same bytes and size`() throws
  {
    let (readBack, now) = try make()
    let file = try Folder(path: TemporaryFolder.current).openFileForWriting("file")
    try file.write([1].span, at: 0)
    #expect(readBack.chunks(of: try status(), at: now) == [])
  }

  @Test func `nothing counts for another file of that name`() throws {
    let (readBack, now) = try make()
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.replaceFile("file", with: [1, 2, 3], mode: 0o600)
    #expect(readBack.chunks(of: try status(), at: now) == [])
  }
}
