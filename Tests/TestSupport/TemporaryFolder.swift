import Foundation
import SystemFiles
package import Testing

/// Gives each test case a folder of its own and removes it afterwards, read-only trees included.
///
/// `@Suite(.temporaryFolder)` or `@Test(.temporaryFolder)`; the folder is ``current`` inside the test.
package struct TemporaryFolder: TestTrait, SuiteTrait, TestScoping {
  /// The absolute path of the folder of the running test case, without a slash at its end.
  @TaskLocal package static var current = "/nonexistent"

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    // A suite is a test without a case; its tests come one by one.
    guard testCase != nil else { return try await body() }
    try await Self.withFolder(body)
  }

  /// Runs `body` with a folder of its own, as in the child of an exit test, which has none of its parent's.
  package static func withFolder(
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let folder = try OwnFolder()
    try await Self.$current.withValue(folder.path) { try await body() }
  }

  /// The absolute path of `name` in the folder of the running test case.
  package static func path(_ name: String) -> String { "\(current)/\(name)" }
}

extension Trait where Self == TemporaryFolder {
  /// A folder for each test case, removed at its end.
  package static var temporaryFolder: Self { TemporaryFolder() }
}

/// A new empty folder that is removed with all that is in it when the last reference goes.
package final class OwnFolder: Sendable {
  /// The absolute path, without a slash at its end.
  package let path: String

  /// Makes the folder, only for this user, among the system's temporary ones.
  package init() throws {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(parent)/sealift-\(randomName())"
    _ = try Folder(creating: path, mode: 0o700)
  }

  deinit {
    let (parent, name) = splitPath(path)
    // What cannot be removed stays; the system clears its temporary folder.
    try? Folder(path: parent).removeTree(name)
  }
}
