import Manifests
import Trust

extension RepositoryDraft {
  /// The same change, made for what is published now.
  ///
  /// Root and policy stay, with the signatures that they have: they name nothing that others have published. A policy takes
  /// the place of the one that it was made from, and of no other. Targets roles are made anew, with what this change alters
  /// in them, and take their signatures anew; so do snapshot and timestamp.
  /// - Parameters:
  ///   - base: What is published now, by the root for which the change was made.
  ///   - before: What each targets role said for which the change was made; nil for one that was not there.
  ///   - now: The time of the new metadata.
  /// - Returns: The change, unsigned where it was made anew.
  /// - Throws: ``RepositoryProblem/changeOutdated`` where both have changed the same thing.
  func rebased(
    onto base: RepositoryState,
    from before: [RoleName: TargetsMetadata],
    at now: Timestamp
  ) throws(RepositoryProblem) -> RepositoryDraft {
    var draft = RepositoryDraft(base: base, lifetimes: lifetimes)
    (draft.root, draft.policy) = (root, policy)
    (draft.renewsSnapshot, draft.renewsTimestamp) = (renewsSnapshot, renewsTimestamp)
    (draft.isCompromised, draft.summary) = (isCompromised, summary)
    for (role, file) in targets.sorted(by: { $0.key.text < $1.key.text }) {
      let (old, new) = (before[role], file.contents)
      // Where the list is being spread over bins, what was withdrawn meanwhile would come back in one of them.
      guard let old, let current = draft.contents(role),
        Self.isSpread(old) == Self.isSpread(new), Self.isSpread(old) == Self.isSpread(current)
      else { throw .changeOutdated }
      let changed = Set(old.targets.keys).union(new.targets.keys).filter {
        old.targets[$0] != new.targets[$0]
      }
      for path in changed where current.targets[path] != old.targets[path] {
        throw .changeOutdated
      }
      try requireSamePolicy(role, old, current)
      draft.edit(role, at: now) { targets in
        for path in changed { targets.targets[path] = new.targets[path] }
        if new.delegations != old.delegations { targets.delegations = new.delegations }
      }
    }
    return draft
  }

  /// Refuses a policy that would undo one that was published meanwhile; its own is listed only once its signatures are there.
  private func requireSamePolicy(
    _ role: RoleName,
    _ old: TargetsMetadata,
    _ current: TargetsMetadata
  ) throws(RepositoryProblem) {
    guard policy != nil, role == .targets, let path = TargetPath(RepositoryPath.policy) else {
      return
    }
    guard current.targets[path] == old.targets[path] else { throw .changeOutdated }
  }

  private static func isSpread(_ targets: TargetsMetadata) -> Bool { targets.delegations != nil }
}
