package import Digests
package import Manifests

/// What a client knows of a model's past, for deciding whether a version may become active.
package struct VersionHistory: Hashable, Sendable {
  /// A version and the manifest that described it.
  package struct Entry: Hashable, Sendable {
    package let version: Version
    package let manifest: SHA256Digest

    package init(version: Version, manifest: SHA256Digest) {
      self.version = version
      self.manifest = manifest
    }
  }

  /// The highest version that ever became active and good; outlives removal and repair.
  package let floor: Entry?
  /// The version that was active before the present one: the way back that is always open.
  package let previous: Entry?

  package init(floor: Entry?, previous: Entry?) {
    self.floor = floor
    self.previous = previous
  }
}

extension VersionHistory {
  /// Refuses a version below the floor, and another manifest for the version at the floor.
  ///
  /// Going back to exactly the previous version is always allowed; all else takes `isDowngradeAllowed`,
  /// which only a person sets. Throws `downgrade` or `replaced`.
  package func check(_ candidate: Entry, isDowngradeAllowed: Bool) throws(TrustError) {
    guard !isDowngradeAllowed, let floor, candidate != previous else { return }
    if candidate.version < floor.version {
      throw .downgrade(to: candidate.version, floor: floor.version)
    }
    guard candidate.version == floor.version, candidate.manifest != floor.manifest else { return }
    throw .replaced(
      version: candidate.version,
      installed: floor.manifest,
      offered: candidate.manifest
    )
  }

  /// The floor once `candidate` has become active and good: it never falls.
  package func raisedFloor(by candidate: Entry) -> Entry {
    guard let floor, candidate.version < floor.version else { return candidate }
    return floor
  }
}
