package import Manifests
package import Trust

/// What a repository says: the metadata, with the documents that the publisher edits.
package struct RepositoryState: Sendable {
  package let root: SignedRoot
  package let timestamp: SignedTimestamp
  package let snapshot: SignedSnapshot
  package let targets: SignedTargets
  /// The roles that share the targets of a large repository; none in a small one.
  package let bins: [RoleName: SignedTargets]
  package let policy: Envelope?
  package let withdrawn: WithdrawnReleases

  package init(
    root: SignedRoot,
    timestamp: SignedTimestamp,
    snapshot: SignedSnapshot,
    targets: SignedTargets,
    bins: [RoleName: SignedTargets] = [:],
    policy: Envelope? = nil,
    withdrawn: WithdrawnReleases = WithdrawnReleases()
  ) {
    (self.root, self.timestamp, self.snapshot, self.targets) = (root, timestamp, snapshot, targets)
    (self.bins, self.policy, self.withdrawn) = (bins, policy, withdrawn)
  }

  /// The targets role in which `path` is, or would be, listed.
  package func role(of path: TargetPath) -> RoleName {
    Self.role(of: path, in: targets.contents)
  }

  static func role(of path: TargetPath, in targets: TargetsMetadata) -> RoleName {
    guard case .succinct(let bins) = targets.delegations?.form, RepositoryDraft.isBinned(path)
    else { return .targets }
    return bins.roleName(for: path)
  }

  /// All releases with their entries, sorted by model and version.
  package var releases: [(entry: ReleaseEntry, file: TargetFile)] {
    get throws(RepositoryError) {
      try Self.releases([targets.contents] + bins.values.map(\.contents))
    }
  }

  static func releases(
    _ roles: [TargetsMetadata]
  ) throws(RepositoryError) -> [(entry: ReleaseEntry, file: TargetFile)] {
    var releases: [(entry: ReleaseEntry, file: TargetFile)] = []
    for role in roles {
      for (path, file) in role.targets where RepositoryPath.release(at: path.text) != nil {
        releases.append(
          (try ReleaseEntry(path: path.text, custom: file.custom), file)
        )
      }
    }
    return releases.sorted { one, other in
      one.entry.model == other.entry.model
        ? one.entry.version < other.entry.version : one.entry.model < other.entry.model
    }
  }
}
