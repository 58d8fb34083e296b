import Digests
import Manifests
import SystemFiles
import Trust
package import Verification

extension Candidate {
  /// Verifies the file at `index` as it lies on disk and gives it its final name in the tree.
  ///
  /// What is verified is an open descriptor, read from the medium and not from the page cache; the same
  /// descriptor is made read-only, synced and renamed. A file that fails is removed, so that it is fetched again.
  /// - Parameters:
  ///   - index: The place of the file in the release. Its part must be complete.
  ///   - depth: Which of the signed digests are compared.
  ///   - report: Called on any thread with each count of bytes done; false stops the work.
  /// - Returns: What is wrong with the file, or nil.
  /// - Throws: `SystemError`, or `CancellationError` once `report` has said false.
  package mutating func seal(
    _ index: Int,
    depth: FileCheck.Depth,
    report: @Sendable (Int) -> Bool
  ) throws -> FileProblem? {
    let entry = accepted.release.files[index]
    let isRenamed = try isComplete(index)
    let file =
      isRenamed
      ? try files.openFile(entry.path.text)
      : try parts.openFileForWriting(Self.partName(index))
    file.dropCache()
    if let problem = try FileCheck(entry, depth: depth).problem(in: file, report: report) {
      try removeFile(index)
      return problem
    }
    if !isRenamed { try giveFinalName(to: file, at: index) }
    sealed[entry.path] = try file.status()
    return nil
  }

  private func giveFinalName(to file: borrowing OpenFile, at index: Int) throws {
    do {
      try file.setMode(kind.publishedFile)
      try file.sync()
    } catch {
      // After a failed sync the bytes are unknown, and a second one may wrongly succeed.
      try parts.removeFile(Self.partName(index))
      throw error
    }
    let (folders, name) = accepted.release.files[index].path.splitText
    let folder = try files.makeFolders(folders, mode: kind.workFolder)
    try parts.renameWithoutReplacing(Self.partName(index), to: folder, name)
  }

  /// Removes what there is of the file at `index`, so that it is fetched from its start.
  package func removeFile(_ index: Int) throws {
    try parts.removeFile(Self.partName(index))
    guard try isComplete(index) else { return }
    let (folders, name) = accepted.release.files[index].path.splitText
    try files.makeFolders(folders, mode: kind.workFolder).removeFile(name)
  }
}

extension RelativePath {
  /// The names of the folders and the name of the file.
  fileprivate var splitText: (folders: ArraySlice<String>, name: String) {
    let components = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return (components.dropLast(), components.last ?? text)
  }
}
