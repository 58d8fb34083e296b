package import Manifests
package import ModelStore
package import Verification

/// Why a trusted release was not installed or activated, besides errors of the store and the transfer.
package enum InstallError: Error, Equatable, Sendable {
  /// The stated runtimes do not satisfy the release, or nothing is stated.
  case runtime(ModelName, Version, RuntimeVerdict)
  /// Loading these files can run code that is in them, and nobody has agreed to that.
  case runsCode(ModelName, Version, [RelativePath])
  /// The bytes are the signed ones, and still not what their names and formats say.
  case unusable(ModelName, Version, [FileFinding])
  /// The bytes that were verified when they arrived are not the bytes that are on disk, in the folder at this path.
  case damagedOnDisk(String, [FileFinding])
  /// The version to activate has files that are not as signed.
  case damagedVersion(VersionName, [FileFinding])
  /// The manifest that lies with a version describes another one.
  case otherManifest(VersionName)
}
