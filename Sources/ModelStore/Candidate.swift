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
  /// The places in the release of the files that it brings: all of them, or those that are wrong in a version that is
  /// there.
  package let indices: [Int]
  /// Whether it brings them for a version that is there.
  package let isRepair: Bool
  /// Where the transfer writes: `<number>.part` for the file of that number in the release.
  package let parts: Folder
  /// The name of its folder in staging: that of the version, and one of its own where locks keep nobody out.
  let place: String
  let staging: Folder
  let tree: Folder
  let files: Folder
  let kind: StoreKind
  /// The files that this process has verified, as they lay on disk.
  var sealed: [RelativePath: FileStatus] = [:]

  /// What the transfer calls the file at this place in the release.
  package static func transferName(_ index: Int) -> String { String(index) }

  /// The name of the part that the transfer writes for that file.
  static func partName(_ index: Int) -> String { "\(transferName(index)).part" }
}

extension StoredModel {
  /// Starts a candidate for `accepted`, or goes on with one of the same manifest.
  ///
  /// It brings the files at `indices` in the release, all of them without.
  package func candidate(
    for accepted: AcceptedManifest,
    bringing indices: [Int]? = nil,
    holding lock: borrowing InstallLock
  ) throws -> Candidate {
    let name = VersionName(version: accepted.release.version, manifest: accepted.digest)
    let all = try folder.openFolder(StoreLayout.staging)
    let place = options.locking == .kernel ? name.text : "\(name.text).\(randomName())"
    let staging = try all.makeFolder(place, mode: kind.workFolder)
    let parts = try staging.makeFolder(StoreLayout.parts, mode: kind.workFolder)
    try renewTree(in: staging)
    let tree = try staging.makeFolder(StoreLayout.tree, mode: kind.workFolder)
    // What a killed exchange left is a version with read-only folders.
    try tree.setModeOfFolders(kind.workFolder)
    let files = try tree.makeFolder(StoreLayout.files, mode: kind.workFolder)
    let candidate = Candidate(
      accepted: accepted,
      name: name,
      indices: indices ?? Array(accepted.release.files.indices),
      isRepair: indices != nil,
      parts: parts,
      place: place,
      staging: staging,
      tree: tree,
      files: files,
      kind: kind
    )
    try candidate.writeFixedParts()
    try candidate.removeForeignParts()
    try candidate.note(.download)
    try all.sync()
    return candidate
  }
}

extension StoredModel {
  /// On an overlay, moves what an earlier run has left into a new folder: one of a lower layer could not be published.
  private func renewTree(in staging: borrowing Folder) throws {
    guard try staging.fileSystemKind() == .overlay else { return }
    let fresh = "\(StoreLayout.tree).\(randomName())"
    let old = try staging.entries().map(\.name).filter {
      $0 == StoreLayout.tree || StoreLayout.isTemporary($0, of: StoreLayout.tree)
    }
    guard !old.isEmpty else { return }
    let tree = try staging.makeFolder(fresh, mode: kind.workFolder)
    for name in old {
      let folder = try staging.openFolder(name)
      try folder.setModeOfFolders(kind.workFolder)
      try folder.moveFiles(to: tree, mode: kind.workFolder)
      try staging.removeTree(name)
    }
    try staging.rename(fresh, to: staging, StoreLayout.tree)
  }
}

extension Candidate {
  fileprivate func writeFixedParts() throws {
    for entry in try tree.entries() where entry.name != StoreLayout.files {
      try tree.removeTree(entry.name)
    }
    for entry in try staging.entries()
    where StoreLayout.isTemporary(entry.name, of: StoreLayout.journal)
      || StoreLayout.isTemporary(entry.name, of: StoreLayout.cacheTag)
    {
      try staging.removeTree(entry.name)
    }
    try staging.replaceFile(
      StoreLayout.cacheTag,
      with: Array(StoreLayout.cacheTagText.utf8),
      mode: kind.workFile
    )
    try tree.replaceFile(
      StoreLayout.manifest,
      with: accepted.envelopeBytes,
      mode: kind.publishedFile
    )
  }

  /// Takes away what stands under the name of a part and is not a file of this folder alone: written through, it
  /// would change a file elsewhere.
  fileprivate func removeForeignParts() throws {
    for entry in try parts.entries() {
      guard let status = try parts.status(of: entry.name) else { continue }
      guard status.kind != .file || status.linkCount != 1 else { continue }
      try parts.removeTree(entry.name)
    }
  }

  /// Writes down what is being done, and how the last try ended.
  package func note(_ phase: Journal.Phase, failure: Journal.Failure? = nil) throws {
    let journal = Journal(phase, failure: failure, total: accepted.release.size)
    guard try staging.readFile(StoreLayout.journal, limit: StoreLayout.recordLimit) != journal.bytes
    else { return }
    try staging.replaceFile(StoreLayout.journal, with: journal.bytes, mode: kind.workFile)
  }

  /// Starts a record of the progress that other processes can follow.
  package func progressNote() throws -> ProgressNote {
    try staging.removeFile(StoreLayout.progress)
    return ProgressNote(try staging.createFile(StoreLayout.progress, mode: kind.workFile))
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
