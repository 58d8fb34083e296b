package import Manifests
package import Transfers
package import Trust
package import Verification

/// What to install and how.
package struct InstallRequest: Sendable {
  /// The manifest, accepted by the trust policy.
  package var accepted: AcceptedManifest
  /// Mirrors of the user's own, asked before those of the manifest.
  package var mirrors: [MirrorTemplate] = []
  /// Mirrors that are asked after those of the manifest, such as the blobs of the repository that lists the release.
  package var lastMirrors: [MirrorTemplate] = []
  /// The runtimes that the user or the configuration states.
  package var runtimes: [RuntimeStatement] = []
  package var activates = true
  /// Whether a person has agreed to files that can run code when they are loaded.
  package var allowsCode = false
  /// What happens while another process is at work on the model.
  package var waiting = InstallWaiting.forSameRelease
  /// Whether versions that no rule keeps are removed after the activation.
  package var collects = true
  /// What a person has agreed to, should the release be an old one.
  package var consent = VersionHistory.Consent.none
  /// Which of the signed digests are compared once the bytes are on disk.
  package var depth = FileCheck.Depth.everyByte
  package var transfer = FetchOptions()
  /// Where chunks may be that need not be fetched; nil to fetch all.
  package var installed: InstalledFiles?

  package init(_ accepted: AcceptedManifest) { self.accepted = accepted }
}
