package import Manifests
import SystemFiles
import Trust

extension StoredModel {
  /// Moves a candidate, all of whose files this process has sealed, under `versions/` and stamps it.
  ///
  /// Replaces nothing that is whole. In the order of the commit: every folder of the tree is synced, then the tree
  /// renamed, then both parents synced; then the folders become read-only, what stands under each published name
  /// is compared with the descriptor that was verified, and the stamp is written.
  /// - Throws: ``StoreError/swapped(_:)`` if a file was exchanged meanwhile, or `SystemError`.
  package func publish(
    _ candidate: borrowing Candidate,
    acceptedAt: Timestamp
  ) throws -> VerifiedVersion {
    precondition(
      candidate.sealed.count == candidate.accepted.release.files.count,
      "all files are sealed"
    )
    let (name, accepted) = (candidate.name, candidate.accepted)
    try candidate.tree.syncTree()
    let lock = try lockState()
    let versions = try folder.openFolder(StoreLayout.versions)
    try keepManifestForBackups(accepted.envelopeBytes, of: name)
    try move(candidate, to: versions)
    try versions.sync()
    try candidate.staging.sync()
    let version = try versions.openFolder(name.text)
    try version.setModeOfFolders(kind.publishedFolder)
    let facts = try Self.publishedFacts(of: candidate, in: version)
    try writeStamp(
      Stamp(manifest: accepted.digest, acceptedAt: acceptedAt, facts: facts),
      of: name
    )
    try makeLease(of: name)
    lock.release()
    try folder.openFolder(StoreLayout.staging).removeTree(candidate.place)
    return VerifiedVersion(name: name, accepted: accepted)
  }

  /// Gives the tree its final name.
  ///
  /// A damaged version of the same manifest changes places with it.
  private func move(
    _ candidate: borrowing Candidate,
    to versions: borrowing Folder
  ) throws {
    let name = candidate.name.text
    guard try versions.status(of: name) != nil else {
      return try candidate.staging.renameWithoutReplacing(StoreLayout.tree, to: versions, name)
    }
    // Without write permission a folder cannot be given another parent.
    if kind.publishedFolder & 0o200 == 0 {
      try versions.openFolder(name).setMode(kind.workFolder)
    }
    let isExchanged = try candidate.staging.exchangeIfMovable(
      StoreLayout.tree,
      with: versions,
      name
    )
    if isExchanged { return }
    // The lower layer of an overlay: what is damaged is deleted where it stands, without its stamp first.
    let stamps = try folder.openFolder(StoreLayout.stamps)
    try stamps.removeFile("\(name).json")
    try stamps.sync()
    try versions.removeTree(name)
    try candidate.staging.renameWithoutReplacing(StoreLayout.tree, to: versions, name)
  }

  /// What the stamp says; throws `swapped` for a file that is not the one that was verified.
  private static func publishedFacts(
    of candidate: borrowing Candidate,
    in version: borrowing Folder
  ) throws -> StampFacts {
    let files = try version.openFolder(StoreLayout.files)
    switch try StampLook(at: candidate.accepted.release.paths, in: files) {
    case .missing(let path): throw StoreError.swapped(path)
    case .whole(let facts):
      for file in facts.files {
        // Neither the time of the last change nor a second name can be given back unseen.
        guard let sealed = candidate.sealed[file.path], sealed.linkCount == 1,
          file == StampFacts.File(path: file.path, status: sealed)
        else { throw StoreError.swapped(file.path) }
      }
      return facts
    }
  }

  /// Makes the file that users of the version lock, if it is missing.
  func makeLease(of name: VersionName) throws {
    try folder.openFolder(StoreLayout.leases).makeEmptyFile(name.text, mode: kind.leaseFile)
  }

  func writeStamp(_ stamp: Stamp, of name: VersionName) throws {
    try folder.openFolder(StoreLayout.stamps)
      .replaceRecord("\(name.text).json", with: stamp.bytes, mode: kind.stateFile)
  }

  func stamp(of name: VersionName) throws -> Stamp? {
    let place = "\(StoreLayout.stamps)/\(name.text).json"
    guard let bytes = try folder.readRecord(place, limit: StoreLayout.stampLimit) else {
      return nil
    }
    return Stamp(bytes: bytes)
  }
}
