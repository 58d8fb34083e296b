package import ModelStore
package import Transfers
package import Verification

/// What happens while a release is installed.
package enum InstallEvent: Sendable {
  /// Another process is at work on the model, and this one waits for it.
  case attached(InstallHolder?)
  /// How far that other process is.
  case attachedProgress(CandidateProgress)
  /// The version was removed not long ago and is had back; it is verified like any other.
  case returned(VersionName)
  /// The version is there already and right; nothing is fetched.
  case alreadyInstalled(VersionName)
  /// The version is there but these files are not as signed; the version is fetched anew.
  case replacesDamaged(VersionName, [FileFinding])
  /// So many bytes of a version that is there were read, to see what is wrong with it.
  case reading(done: Int, total: Int)
  /// This is wrong with a version that is to be repaired.
  case damaged(VersionName, Damage)
  /// The fetch of so many bytes begins; so many of them are not on disk yet.
  case fetching(missing: Int, total: Int)
  case transfer(FetchEvent)
  /// So many bytes of the candidate were verified as they lie on disk.
  case verifying(done: Int, total: Int)
  /// A file of the candidate was not right on disk and is fetched again.
  case refetching(FileFinding)
  case published(VersionName)
  case activated(ActiveRecord)
  /// These older versions are gone, which no rule keeps.
  case collected([CollectedItem])
}
