package import Manifests
import ModelFormats
package import SystemFiles

/// Looks at the headers of a release whose bytes are right: at what its files say of each other, and which
/// runtimes can load them.
package struct StructureCheck: Sendable {
  /// What the look gives.
  package struct Outcome: Equatable, Sendable {
    /// What is wrong between files, which is the publisher's fault.
    package let findings: [FileFinding]
    /// What the bytes of each file need that needs anything.
    package let needs: [FileNeeds]
  }

  private let release: Release

  package init(_ release: Release) { self.release = release }

  /// Reads the headers of all files beneath `folder`, and of some of them twice.
  ///
  /// - Throws: `SystemError` if a file cannot be read.
  package func outcome(in folder: borrowing Folder) throws -> Outcome {
    var inspections: [FileInspection] = []
    for entry in release.files {
      let source = try FileSource(try folder.openFile(entry.path.text))
      let consent = InspectionConsent(of: entry.format)
      inspections.append(try FileInspection(entry.path, source, consent: consent))
    }
    let files = FolderFiles(try folder.openFolder("."))
    let together = try ReleaseInspection(of: inspections) { path throws(SystemError) in
      try files.source(of: path)
    }
    return Outcome(
      findings: together.problems.map {
        FileFinding(path: $0.file.text, problem: .notAModel($0))
      },
      needs: inspections.map(\.needs).filter { !$0.anyOf.isEmpty }
    )
  }
}

/// Opens files of a folder for as long as a check may ask for them.
private final class FolderFiles: Sendable {
  private let folder: Folder

  init(_ folder: consuming Folder) { self.folder = folder }

  func source(of path: RelativePath) throws(SystemError) -> FileSource {
    try FileSource(try folder.openFile(path.text))
  }
}
