import Digests
import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import TestSupport
import Verification

/// A release that was written to the folder of the running test.
struct SampleRelease {
  let release: SimulatedRelease
  let folder = TemporaryFolder.path("files")

  init(_ release: SimulatedRelease) throws {
    self.release = release
    try release.write(to: folder)
  }

  init() throws { try self.init(.tiny()) }

  /// The absolute path of a file.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Puts other bytes in the place of a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  func bytes(of name: String) -> [UInt8] { release.contents[name] ?? [] }

  /// What a check of the whole folder finds.
  func findings(
    _ depth: FileCheck.Depth = .everyByte
  ) throws -> [FileFinding] {
    try ReleaseCheck(try release.release(), depth: depth)
      .findings(in: Folder(path: folder)) { _ in true }
  }

  func entry(_ name: String) throws -> FileEntry {
    guard let file = release.files.first(where: { $0.path.text == name }) else {
      throw SupportError.notStarted(name)
    }
    return file.entry
  }

  /// What a check of one open file finds.
  func problem(_ name: String, _ depth: FileCheck.Depth = .everyByte) throws -> FileProblem? {
    let file = try OpenFile(readingPlainFile: path(name))
    return try FileCheck(try entry(name), depth: depth).problem(in: file) { _ in true }
  }
}
