import Foundation
import Manifests
import Publishing
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct ChangedFileTests {
  /// Changes the file when it is half read, in a way that may keep its size.
  @Test(arguments: ["append", "overwrite", "truncate", "replace", "remove"])
  func `a file that changes while it is read is refused`(change: String) throws {
    let bytes = largeModel
    let path = try write(bytes, to: "a.gguf")
    var isDone = false
    #expect(throws: PublishingError.changedWhileRead(try RelativePath("a.gguf"))) {
      try ReleaseBuilder.build(["a.gguf"], .sample()) { progress in
        if progress.done > 0, !isDone {
          isDone = true
          do { try Self.change(path, change, bytes) } catch { Issue.record(error) }
        }
        return true
      }
    }
    #expect(isDone)
  }

  private static func change(_ path: String, _ way: String, _ bytes: [UInt8]) throws {
    let folder = try Folder(path: TemporaryFolder.current)
    switch way {
    case "append": try folder.openFileForWriting("a.gguf").write([1].span, at: bytes.count)
    case "overwrite": try folder.openFileForWriting("a.gguf").write([1].span, at: 1000)
    case "truncate": try folder.openFileForWriting("a.gguf").setSize(bytes.count - 1)
    case "replace": try replaceFile(at: path, with: bytes, mode: 0o644)
    default: try folder.removeFile("a.gguf")
    }
  }
}
