import Digests
import Manifests
package import SystemFiles
package import Trust

/// A version in the store that is being fetched or checked.
///
/// Its bytes are nobody's until `publish` has moved them under `versions/`. A candidate of the same manifest
/// that a killed process left is taken up again.
package struct Candidate: ~Copyable {
  package let accepted: AcceptedManifest
  package let name: VersionName
  /// Where the transfer writes: `<number>.part` for the file of that number in the release.
  package let parts: Folder
  let staging: Folder
  let tree: Folder
  let files: Folder
  /// The files that this process has verified, as they lay on disk.
  var sealed: [RelativePath: FileStatus] = [:]

  /// What the transfer calls the file at this place in the release.
  package static func transferName(_ index: Int) -> String { String(index) }

  /// The name of the part that the transfer writes for that file.
  static func partName(_ index: Int) -> String { "\(transferName(index)).part" }
}

extension StoredModel {
  /// Starts a candidate for `accepted`, or goes on with one of the same manifest.
  package func candidate(
    for accepted: AcceptedManifest,
    holding lock: borrowing InstallLock
  ) throws -> Candidate {
    let name = VersionName(version: accepted.release.version, manifest: accepted.digest)
    let all = try folder.openFolder(StoreLayout.staging)
    let staging = try all.makeFolder(name.text, mode: StoreLayout.privateFolder)
    let parts = try staging.makeFolder(StoreLayout.parts, mode: StoreLayout.privateFolder)
    let tree = try staging.makeFolder(StoreLayout.tree, mode: StoreLayout.privateFolder)
    // What a killed exchange left is a version with read-only folders.
    try tree.setModeOfFolders(StoreLayout.privateFolder)
    let files = try tree.makeFolder(StoreLayout.files, mode: StoreLayout.privateFolder)
    let candidate = Candidate(
      accepted: accepted,
      name: name,
      parts: parts,
      staging: staging,
      tree: tree,
      files: files
    )
    try candidate.writeFixedParts()
    try all.sync()
    return candidate
  }
}

extension Candidate {
  fileprivate func writeFixedParts() throws {
    for entry in try tree.entries() where entry.name != StoreLayout.files {
      try tree.removeTree(entry.name)
    }
    try staging.replaceFile(
      StoreLayout.cacheTag,
      with: Array(StoreLayout.cacheTagText.utf8),
      mode: StoreLayout.privateFile
    )
    try tree.replaceFile(
      StoreLayout.manifest,
      with: accepted.envelopeBytes,
      mode: StoreLayout.publishedFile
    )
  }

  /// Whether the file at `index` is already in the tree of this candidate, verified or not.
  package func isComplete(_ index: Int) throws -> Bool {
    try isThere(accepted.release.files[index].path)
  }

  private func isThere(_ path: RelativePath) throws -> Bool {
    do {
      _ = try files.openFile(path.text)
      return true
    } catch let error where error.isNotFound {
      return false
    }
  }
}
