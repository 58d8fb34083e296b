package import Manifests
package import SystemFiles

/// Compares a folder with the files of a release.
package struct ReleaseCheck: Sendable {
  private let release: Release
  private let depth: FileCheck.Depth

  package init(_ release: Release, depth: FileCheck.Depth = .everyByte) {
    self.release = release
    self.depth = depth
  }

  /// Checks every file, going on after problems, in the order of the paths.
  ///
  /// No link is followed anywhere beneath `folder`. Blocks the calling thread.
  /// - Parameters:
  ///   - folder: The folder that stands for the release.
  ///   - report: Called on any thread with each count of bytes done; false stops the work.
  /// - Returns: What is wrong; empty if all is as signed.
  /// - Throws: `CancellationError` once `report` has said false; `SystemError` if a folder cannot be listed.
  package func findings(
    in folder: borrowing Folder,
    report: @Sendable (Int) -> Bool
  ) throws -> [FileFinding] {
    var findings: [FileFinding] = []
    var rest = release.files[...]
    while let entry = rest.first {
      let problems =
        if let small = SmallFilesCheck(startOf: rest) {
          try small.problems(in: folder, depth: depth, report: report)
        } else {
          [try problem(of: entry, in: folder, report: report)]
        }
      for (entry, problem) in zip(rest, problems) {
        guard let problem else { continue }
        findings.append(FileFinding(path: entry.path.text, problem: problem))
      }
      rest = rest.dropFirst(problems.count)
    }
    if findings.isEmpty { findings = try StructureCheck(release).outcome(in: folder).findings }
    let extras = ExtraFileSearch(among: release.files.map(\.path))
    return try findings + extras.findings(in: folder, at: [])
  }

  private func problem(
    of entry: FileEntry,
    in folder: borrowing Folder,
    report: @Sendable (Int) -> Bool
  ) throws(CancellationError) -> FileProblem? {
    let file: OpenFile
    do {
      file = try folder.openFile(entry.path.text)
    } catch {
      return Self.problem(for: error, at: entry.path, in: folder)
    }
    file.expectSequentialReads()
    return try FileCheck(entry, depth: depth).problem(in: file, report: report)
  }

  /// Says in the words of a check why a file could not be opened.
  package static func problem(
    for error: SystemError,
    at path: RelativePath,
    in folder: borrowing Folder
  ) -> FileProblem {
    if error.isNotFound { return .missing }
    if error.isEscape { return .notAFile(.link) }
    guard let status = try? folder.status(of: path.text), status.kind != .file else {
      return .unreadable(error)
    }
    return .notAFile(status.kind)
  }
}
