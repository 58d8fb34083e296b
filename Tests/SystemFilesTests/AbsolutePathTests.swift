import Foundation
import Glibc
import SystemFiles
import Testing

@Suite struct AbsolutePathTests {
  private let folder = FileManager.default.currentDirectoryPath

  @Test(arguments: [
    ("/a/b", "/a/b"), ("/", "/"), ("/a/./b/", "/a/./b/"),
  ])
  func `an absolute path stays as it is`(path: String, expected: String) throws {
    #expect(try absolutePath(path) == expected)
  }

  @Test(arguments: [
    ("store", "/store"), ("./store", "/store"), ("a//b/", "/a/b"), ("../a", "/../a"), (".", ""),
  ])
  func `a relative path starts at the working folder`(path: String, rest: String) throws {
    #expect(try absolutePath(path) == folder + rest)
  }

  @Test(arguments: ["", "a\u{0}b", "/a\u{0}"])
  func `a path that C would cut short is refused`(path: String) {
    #expect(throws: SystemError("getcwd", code: EINVAL, path: path)) { try absolutePath(path) }
  }
}
