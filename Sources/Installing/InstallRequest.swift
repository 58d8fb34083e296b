package import Manifests
package import ModelStore
package import Transfers
package import Trust
package import Verification

/// What to install and how.
package struct InstallRequest: Sendable {
  /// The manifest, accepted by the trust policy.
  package var accepted: AcceptedManifest
  /// Mirrors of the user's own, asked before those of the manifest.
  package var mirrors: [MirrorTemplate] = []
  /// The runtimes that the user or the configuration states.
  package var runtimes: [RuntimeStatement] = []
  package var activates = true
  /// Whether a person has agreed to files that can run code when they are loaded.
  package var allowsCode = false
  /// What happens while another process is at work on the model.
  package var waiting = InstallWaiting.forSameRelease
  /// Whether versions that no rule keeps are removed after the activation.
  package var collects = true
  /// Whether a version that was marked bad is installed all the same: because a person named it.
  package var acceptsMarkedBad = true
  /// What a person has agreed to, should the release be an old one.
  package var consent = VersionHistory.Consent.none
  /// Which of the signed digests are compared once the bytes are on disk.
  package var depth = FileCheck.Depth.everyByte
  package var transfer = FetchOptions()
  /// Where chunks may be that need not be fetched; nil to fetch all.
  package var installed: InstalledFiles?

  package init(_ accepted: AcceptedManifest) { self.accepted = accepted }
}

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
  /// The fetch of so many bytes begins; so many of them are not on disk yet.
  case fetching(missing: Int, total: Int)
  case transfer(FetchEvent)
  /// So many bytes of the candidate were verified as they lie on disk.
  case verifying(done: Int, total: Int)
  /// A file of the candidate was not right on disk and is fetched again.
  case refetching(FileFinding)
  case published(VersionName)
  case activated(ActiveRecord)
}

/// What an install has left in the store.
package struct InstallOutcome: Sendable {
  package let name: VersionName
  /// The folder of the model files.
  package let filesPath: String
  /// The record that names the version; nil if it was not to be activated.
  package let record: ActiveRecord?
  /// What the mirrors did; nil if nothing was fetched.
  package let report: FetchReport?
}
