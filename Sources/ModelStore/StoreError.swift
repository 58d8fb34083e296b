package import Manifests

/// Why the store could not do what was asked, besides a failed system call.
package enum StoreError: Error, Hashable, Sendable {
  /// The folder is no store, or one of a later format.
  case notAStore(path: String, found: String)
  /// The store can be written by others, or belongs to somebody else.
  case unsafeOwnership(path: String, owner: UInt32, mode: UInt32)
  /// Another process is fetching or checking a version of the model.
  case busy(ModelName)
  /// The active record exists and cannot be read.
  case damagedRecord(ModelName)
  case noSuchModel(ModelName)
  case noSuchVersion(ModelName, Version)
  /// Several manifests of one version are there.
  case ambiguousVersion(ModelName, [VersionName])
  case nothingActive(ModelName)
  case noPrevious(ModelName)
  /// The active version is not removed alone.
  case isActive(ModelName, Version)
  case notEnoughSpace(needed: Int, free: Int)
  case notEnoughInodes(needed: Int, free: Int)
  /// What stands under the name of a published file is not the file that was verified.
  case swapped(RelativePath)
  /// The folder of a version has no manifest that can be read, or another version's.
  case damagedVersion(VersionName)
}
