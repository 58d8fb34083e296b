import Glibc
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct WrittenRangesTests {
  @Test func `what was only set aside is not taken for written`() throws {
    let file = try OpenFile(creating: TemporaryFolder.path("part"), mode: 0o600)
    #expect(try file.writtenRanges() == [])
    try file.preallocate(16 << 20)
    #expect(try file.writtenRanges() == [])
    let block = [UInt8](repeating: 1, count: 1 << 20)
    try file.write(block.span, at: 2 << 20)
    try file.write(block.span, at: 15 << 20)
    let expected = [2 << 20..<3 << 20, 15 << 20..<16 << 20]
    #expect(try file.writtenRanges() == expected)
    try file.sync()
    #expect(try file.writtenRanges() == expected)
  }

  @Test func `a device is no plain file`() throws {
    #expect(throws: SystemError("open", code: EINVAL, path: "/dev/null")) {
      _ = try OpenFile(readingPlainFile: "/dev/null")
    }
  }
}
