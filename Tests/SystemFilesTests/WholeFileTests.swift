import Foundation
import SystemFiles
import TestSupport
import Testing

/// Files that are there whole or not at all, and descriptors from outside.
@Suite(.temporaryFolder)
struct WholeFileTests {
  private let one: [UInt8] = [1]
  private let two: [UInt8] = [2]
  private let both: [UInt8] = [2, 3]

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.current).sorted()
  }

  private func contents(_ name: String) throws -> [UInt8] {
    try OpenFile(reading: TemporaryFolder.path(name)).readAll(limit: 1 << 20)
  }

  @Test(arguments: [0, 1, 100_000])
  func `a new file has its bytes and its mode, and nothing stands beside it`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.createWhole("a", with: bytes.span, mode: 0o600)
    #expect(try contents("a") == bytes)
    #expect(try folder.status(of: "a")?.mode == 0o600)
    #expect(try entries() == ["a"])
  }

  @Test func `what has the name stays, links too`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.createWhole("a", with: one.span, mode: 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: TemporaryFolder.path("link"),
      withDestinationPath: "nowhere"
    )
    for name in ["a", "link"] {
      // Which call finds the other file depends on the file system.
      let error = #expect(throws: SystemError.self) {
        try folder.createWhole(name, with: two.span, mode: 0o600)
      }
      #expect(error?.code == EEXIST)
    }
    #expect(try contents("a") == [1])
    #expect(try entries() == ["a", "link"])
  }

  @Test func `a file is replaced with what others have left taken away`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.createWhole("a", with: one.span, mode: 0o644)
    let left = "a.0123456789abcdef0123456789abcdef"
    try folder.createWhole(left, with: one.span, mode: 0o600)
    try folder.replaceWhole("a", with: both.span, mode: 0o600)
    #expect(try contents("a") == [2, 3])
    #expect(try folder.status(of: "a")?.mode == 0o600)
    #expect(try entries() == ["a"])
  }

  @Test func `only a descriptor that came from outside is taken over`() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    try folder.createWhole("a", with: both.span, mode: 0o600)
    let own = try OpenFile(reading: TemporaryFolder.path("a"))
    #expect(throws: SystemError("fcntl", code: EBADF)) {
      _ = try OpenFile(inherited: own.descriptor)
    }
    #expect(throws: SystemError("fcntl", code: EBADF)) { _ = try OpenFile(inherited: 1_000_000) }
  }
}
