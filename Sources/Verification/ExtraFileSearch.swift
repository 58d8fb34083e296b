package import Manifests
package import SystemFiles

/// Finds what is beneath a folder and in no release.
package struct ExtraFileSearch {
  private let files: Set<[UInt8]>
  /// The folders of the files, each with a slash at its end.
  private let folders: Set<[UInt8]>

  /// Takes the paths of all files that should be there.
  package init(among paths: [RelativePath]) {
    files = Set(paths.map { Array($0.text.utf8) })
    var folders: Set<[UInt8]> = []
    for path in files {
      for slash in path.indices where path[slash] == UInt8(ascii: "/") {
        folders.insert(Array(path[...slash]))
      }
    }
    self.folders = folders
  }

  /// Lists what is beneath `folder`, which stands at `prefix`, whatever its kind.
  ///
  /// A folder that the release does not have counts by its contents, and on its own only if it is empty, or deeper
  /// than any release goes: it is then not opened. `depth` counts the folders above.
  package func findings(
    in folder: borrowing Folder,
    at prefix: [UInt8],
    depth: Int = 0
  ) throws(SystemError) -> [FileFinding] {
    var findings: [FileFinding] = []
    for entry in try folder.entries() {
      let path = prefix + entry.name.utf8
      if entry.kind == .folder, depth < RelativePath.maximumComponents {
        let inner = try folder.openFolder(entry.name)
        let isEmpty = try inner.entries().isEmpty
        if isEmpty, !folders.contains(path + "/".utf8) {
          findings.append(Self.finding(path, .folder))
        }
        findings += try self.findings(in: inner, at: path + "/".utf8, depth: depth + 1)
      } else if !files.contains(path) {
        findings.append(Self.finding(path, entry.kind))
      }
    }
    return findings
  }

  private static func finding(_ path: [UInt8], _ kind: FileStatus.Kind) -> FileFinding {
    FileFinding(path: String(decoding: path, as: UTF8.self), problem: .extra(kind))
  }
}
