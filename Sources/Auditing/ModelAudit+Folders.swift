import Manifests
import ModelStore
import SystemFiles

extension ModelAudit {
  /// What is wrong with the folders of a version at this moment: their modes, and what stands beside the files.
  static func folderFacts(
    of place: borrowing VersionPlace,
    in model: borrowing StoredModel
  ) throws -> [AuditFinding] {
    let modes = model.publishedModes
    var findings: [AuditFinding] = []
    for entry in try place.folder.entries() {
      guard StoredModel.partsOfVersion.contains(entry.name) else {
        findings.append(
          AuditFinding(
            .extra,
            expected: "a manifest and files",
            actual: "\(entry.kind.words) beside them: \(entry.name)"
          )
        )
        continue
      }
      guard entry.kind == .file, let status = try place.folder.status(of: entry.name) else {
        continue
      }
      if status.mode != modes.file {
        findings.append(.mode(expected: modes.file, found: status.mode, note: entry.name))
      }
    }
    return findings + (try folderFindings(place.folder, at: ".", modes.folder))
  }

  private static func folderFindings(
    _ folder: borrowing Folder,
    at path: String,
    _ mode: UInt32,
    depth: Int = 0
  ) throws -> [AuditFinding] {
    let status = try folder.status()
    var findings: [AuditFinding] = []
    if status.mode != mode {
      findings.append(.mode(expected: mode, found: status.mode, note: "folder \(path)"))
    }
    // The files of a release stand one folder down. What is deeper than they go is told as too much, and not opened.
    guard depth <= RelativePath.maximumComponents else { return findings }
    for entry in try folder.entries() where entry.kind == .folder {
      let inner = try folder.openFolder(entry.name)
      findings += try folderFindings(
        inner,
        at: path == "." ? entry.name : "\(path)/\(entry.name)",
        mode,
        depth: depth + 1
      )
    }
    return findings
  }
}
