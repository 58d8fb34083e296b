package import Digests
import Manifests
import SystemFiles
import Trust
package import Verification

extension Candidate {
  /// The files that are open at a time until they are synced together.
  private static let batchSize = 128

  /// Verifies files as they lie on disk and gives them their final names in the tree.
  ///
  /// What is verified is an open descriptor, read from the medium and not from the page cache; the same
  /// descriptor is made read-only and synced, many of them at a time, and only then renamed. A file that fails is
  /// removed, so that it is fetched again. Chunks that the transfer has read back are not read once more, as long as nobody
  /// else has the file open and the file system says that nothing was written since.
  /// - Parameters:
  ///   - indices: The places of the files in the release. Their parts must be complete.
  ///   - depth: Which of the signed digests are compared.
  ///   - readBack: What this process has read back, by the name of the transfer.
  ///   - report: Called on any thread with each count of bytes done; false stops the work.
  /// - Returns: What is wrong with which file.
  /// - Throws: `SystemError`, or `CancellationError` once `report` has said false.
  package mutating func seal(
    _ indices: some Sequence<Int>,
    depth: FileCheck.Depth,
    readBack: [String: ReadBack] = [:],
    report: @Sendable (Int) -> Bool
  ) throws -> [(index: Int, problem: FileProblem)] {
    var problems: [(index: Int, problem: FileProblem)] = []
    var verified: [SealedFile] = []
    for index in indices {
      let file = try openForSealing(index)
      file.file.dropCache()
      let check = FileCheck(accepted.release.files[index], depth: depth)
      let known = readBack[Self.transferName(index)]
      if let problem = try check.problem(in: file.file, besides: known, report: report) {
        try removeFile(index)
        problems.append((index, problem))
        continue
      }
      verified.append(file)
      // What was not read again is published at once, before anybody changes it.
      guard verified.count == Self.batchSize || known != nil else { continue }
      try giveFinalNames(to: verified)
      verified = []
    }
    try giveFinalNames(to: verified)
    return problems
  }

  /// Verifies one file, and gives it its final name.
  package mutating func seal(
    _ index: Int,
    depth: FileCheck.Depth,
    report: @Sendable (Int) -> Bool
  ) throws -> FileProblem? {
    try seal(CollectionOfOne(index), depth: depth, report: report).first?.problem
  }

  private func openForSealing(_ index: Int) throws -> SealedFile {
    guard try isComplete(index) else {
      let part = try parts.openFileForWriting(Self.partName(index))
      return SealedFile(index, part, isRenamed: false)
    }
    let file = try files.openFile(accepted.release.files[index].path.text)
    return SealedFile(index, file, isRenamed: true)
  }

  private mutating func giveFinalNames(to verified: [SealedFile]) throws {
    let fresh = verified.filter { !$0.isRenamed }
    let mode = kind.publishedFile
    let failure = SyncCrew.firstFailure(of: fresh.count) { fresh[$0].publish(mode) }
    if let failure {
      // After a failed sync the bytes are unknown, and a second one may wrongly succeed.
      try parts.removeFile(Self.partName(failure.index))
      throw failure.error
    }
    for file in fresh {
      let (folders, name) = accepted.release.files[file.index].path.splitText
      let folder = try files.makeFolders(folders, mode: kind.workFolder)
      try parts.renameWithoutReplacing(Self.partName(file.index), to: folder, name)
    }
    for file in verified {
      sealed[accepted.release.files[file.index].path] = try file.file.status()
    }
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
