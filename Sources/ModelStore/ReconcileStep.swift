package import Manifests

/// One thing that reconciling a model does, or would do.
package enum ReconcileStep: Hashable, Sendable {
  /// Remove what a killed process left, or what belongs to a version that is gone; the path is from the model's folder.
  case removeLeftover(String)
  /// Remove the lease of a version that is not there.
  case removeLease(VersionName)
  case makeLease(VersionName)
  /// Put a lease in the place of something that is none.
  case replaceLease(VersionName)
  /// Keep the manifest of a version where backups find it.
  case keepManifest(VersionName)
  /// Make the folder of a version read-only again.
  case closeFolder(VersionName)
  case pointLink(VersionName)
  case removeLink
  case raiseFloor(Version)
  /// Remove what a version was fetched into that is whole since.
  case removeCandidate(VersionName)
  /// Delete this in the trash.
  case deleteTrash(String)

  /// Make a folder in the place of something else; the name is that of a part of the model's folder.
  case replacePart(String)

  // What takes a trust policy, or the reading of every byte.

  /// The stamp of a version does not prove it any more, or never did: read every byte.
  case verify(VersionName)
  /// The active version is damaged: make the previous one active, once every byte of it is read.
  case rollBack(from: VersionName, to: VersionName)
  /// A version on trial used up its starts: mark it bad and make the previous one active.
  case endTrial(VersionName)
  /// A version that is not active is damaged: move it to the trash.
  case discard(VersionName)
  /// Write a new active record in place of the damaged one.
  case writeRecord(VersionName)
}
