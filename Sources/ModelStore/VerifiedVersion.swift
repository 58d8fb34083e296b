import Manifests
package import Trust

/// A version in the store whose signature was accepted and whose bytes were verified as they lie on disk.
///
/// Only this module makes one, and only such a version becomes active.
package struct VerifiedVersion: Equatable, Sendable {
  package let name: VersionName
  package let accepted: AcceptedManifest

  init(name: VersionName, accepted: AcceptedManifest) {
    self.name = name
    self.accepted = accepted
  }

  var entry: ActiveRecord.Entry { ActiveRecord.Entry(name: name, manifest: accepted.digest) }
}
