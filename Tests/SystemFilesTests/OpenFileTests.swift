import Glibc
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder) struct OpenFileTests {
  private func makeFile(_ bytes: [UInt8]) throws -> OpenFile {
    let file = try OpenFile(creating: TemporaryFolder.current + "/f", mode: 0o600)
    try file.write(bytes.span, at: 0)
    return file
  }

  @Test func `a block is short only at the end of the file`() throws {
    let file = try makeFile(Array(0..<100))
    #expect(try file.readBlock(count: 60, at: 0) == Array(0..<60))
    #expect(try file.readBlock(count: 60, at: 60) == Array(60..<100))
    #expect(try file.readBlock(count: 60, at: 100) == [])
  }

  @Test func `reading all stops at the limit`() throws {
    _ = try makeFile([UInt8](repeating: 7, count: 1000))
    let path = TemporaryFolder.current + "/f"
    #expect(try OpenFile(reading: path).readAll(limit: 1000).count == 1000)
    #expect(throws: SystemError("read", code: EFBIG)) {
      _ = try OpenFile(reading: path).readAll(limit: 999)
    }
  }

  @Test func `preallocating sets space aside and keeps what is written`() throws {
    let file = try makeFile([1, 2, 3])
    try file.preallocate(1 << 20)
    #expect(try file.status().size == 1 << 20)
    #expect(try file.readBlock(count: 4, at: 0) == [1, 2, 3, 0])
  }

  @Test func `a missing file is named`() {
    let error = SystemError("open", code: ENOENT, path: "/nonexistent/x")
    #expect(throws: error) { _ = try OpenFile(reading: "/nonexistent/x") }
    #expect(error.reason == "No such file or directory")
  }
}
