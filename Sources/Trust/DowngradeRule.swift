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

  /// What is known of the highest version that ever became active and good.
  ///
  /// It outlives removal and repair.
  package enum Floor: Hashable, Sendable {
    case none
    case at(Entry)
    /// There was one, and what recorded it is damaged.
    case unreadable
  }

  package let floor: Floor
  /// The version that is active now: to stay with it is no downgrade.
  package let active: Entry?
  /// The version that was active before the present one: the way back that is open to a person.
  package let previous: Entry?

  package init(floor: Floor, active: Entry? = nil, previous: Entry? = nil) {
    self.floor = floor
    self.active = active
    self.previous = previous
  }
}

extension VersionHistory {
  /// What a person has agreed to, by the command that was typed.
  package enum Consent: Hashable, Sendable {
    /// To a release as it was offered, which may be an old one that poses as the newest.
    case none
    /// To a version that the person named, or to going back: the previous version too.
    case returnToPrevious
    /// To what the store had active before its record was lost, wherever the floor is; not to another floor.
    case restoredRecord
    /// To any version, above the floor or below.
    case anyVersion
  }

  /// Refuses a version below the floor, and another manifest for the version at the floor.
  ///
  /// Staying with exactly the active version is always allowed; all else takes the consent of a person.
  /// Throws `downgrade`, `replaced` or, where the floor cannot be read, `unknownFloor`.
  package func check(_ candidate: Entry, consent: Consent) throws(TrustError) {
    if candidate == active || isCovered(candidate, by: consent) { return }
    switch floor {
    case .none: return
    case .unreadable: throw .unknownFloor(candidate: candidate.version)
    case .at(let floor):
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
  }

  private func isCovered(_ candidate: Entry, by consent: Consent) -> Bool {
    switch consent {
    case .none: false
    case .returnToPrevious: candidate == previous
    case .restoredRecord, .anyVersion: true
    }
  }
}

extension VersionHistory {
  /// The history as it is once these manifests count no longer, since the repository of the model has withdrawn them.
  ///
  /// A floor at one of them falls to the higher of the active and the previous version that is not among them; another
  /// floor stays, and so does one that cannot be read.
  package func lowered(besides withdrawn: Set<SHA256Digest>) -> VersionHistory {
    guard case .at(let entry) = floor, withdrawn.contains(entry.manifest) else { return self }
    let known = [active, previous].compactMap { $0 }.filter { !withdrawn.contains($0.manifest) }
    let floor = known.reduce(Floor.none) { $0.raised(by: $1) }
    return VersionHistory(floor: floor, active: active, previous: previous)
  }
}

extension VersionHistory.Floor {
  /// The floor once `candidate` has become active and good: it never falls.
  ///
  /// One that cannot be read stays so, since nobody knows whether the candidate is above it.
  package func raised(by candidate: VersionHistory.Entry) -> VersionHistory.Floor {
    switch self {
    case .none: .at(candidate)
    case .at(let floor): candidate.version < floor.version ? self : .at(candidate)
    case .unreadable: self
    }
  }
}
