package import Manifests
import SystemFiles

/// A file that is to be in a release: its place on disk and its path in the release.
package struct SourceFile: Hashable, Sendable {
  /// The path in the release.
  package let path: RelativePath
  /// The size when it was listed, in bytes.
  package let size: Int
  /// The folder from which no link is followed.
  let folder: String
  /// The place of the file beneath that folder.
  let location: String

  /// The path as a person would find the file.
  package var place: String { joined(folder, location) }

  /// Opens the file as it stands now; refuses links on the way, and anything but a plain file.
  func open() throws(SystemError) -> OpenFile {
    try Folder(path: folder).openFile(location)
  }

  /// What stands at the file's place now; nil if nothing does.
  func status() throws(SystemError) -> FileStatus? {
    try Folder(path: folder).status(of: location)
  }
}

/// Joins a folder and a path beneath it, as a person would write them.
func joined(_ folder: String, _ path: String) -> String {
  if folder == "." { return path }
  return folder.utf8.last == UInt8(ascii: "/") ? folder + path : "\(folder)/\(path)"
}
