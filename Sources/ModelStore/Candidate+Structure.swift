import SystemFiles
import Trust
package import Verification

extension Candidate {
  /// Looks at the headers of all files together; each must have been sealed.
  ///
  /// - Throws: `SystemError`.
  package func structure() throws -> StructureCheck.Outcome {
    try StructureCheck(accepted.release).outcome(in: files)
  }
}

extension StoredModel {
  /// Looks at the headers of all files of a version together.
  ///
  /// - Throws: `SystemError`.
  package func structure(of version: VerifiedVersion) throws -> StructureCheck.Outcome {
    let path = "\(StoreLayout.versions)/\(version.name.text)/\(StoreLayout.files)"
    return try StructureCheck(version.accepted.release).outcome(in: try folder.openFolder(path))
  }
}
