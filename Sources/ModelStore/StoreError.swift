package import Manifests

/// Why the store could not do what was asked, besides a failed system call.
package enum StoreError: Error, Hashable, Sendable {
  /// The folder is no store, or one of a later format.
  case notAStore(path: String, found: String)
  /// The store can be written by others, or belongs to somebody else.
  case unsafeOwnership(path: String, owner: UInt32, mode: UInt32)
  /// The store is to be shared with the group of this number, and its root says otherwise.
  case notShared(path: String, group: UInt32, mode: UInt32)
  /// Another process has the store for itself.
  case storeBusy(path: String)
  /// Locks of the file system keep nobody out, or fail for this reason.
  case uselessLocks(path: String, reason: String?)
  /// Parts of a model's folder lie on different file systems.
  case severalDevices(path: String)
  /// Another process is fetching or checking a version of the model.
  case busy(ModelName)
  /// The active record exists and cannot be read; these versions are there to choose from.
  case damagedRecord(ModelName, choices: [VersionName])
  /// What people said about versions cannot be read.
  case damagedMarks(ModelName, file: String)
  case noSuchModel(ModelName)
  case noSuchVersion(ModelName, Version)
  /// Several manifests of one version are there.
  case ambiguousVersion(ModelName, [VersionName])
  case nothingActive(ModelName)
  case noPrevious(ModelName)
  /// A version on trial needs another one to return to.
  case noFallback(ModelName)
  /// The version failed before, for this reason, and is activated only when a person says so.
  case markedBad(ModelName, Version, reason: String)
  /// Another process has activated a version since this one looked.
  case changedMeanwhile(ModelName)
  /// A process uses the version.
  case inUse(ModelName, Version)
  /// The active version is not removed alone.
  case isActive(ModelName, Version)
  /// The version is the one to which the trial of another returns.
  case isFallback(ModelName, Version, of: Version)
  case notEnoughSpace(needed: Int, free: Int)
  case notEnoughInodes(needed: Int, free: Int)
  /// What stands under the name of a published file is not the file that was verified.
  case swapped(RelativePath)
  /// Files of the version changed while they were read, so nothing is known of it.
  case changedWhileRead(VersionName)
  /// The folder of a version has no manifest that can be read, or another version's.
  case damagedVersion(VersionName)
}
