package import Manifests
import SystemFiles
import Trust

/// A change that waits for signatures, and what becomes of it when others publish meanwhile.
extension RepositoryTree {
  /// The change that waits for signatures; nil if there is none.
  ///
  /// Call it under the lock.
  /// Where something else was published meanwhile, the change is made for the new state, and waits on as that.
  /// - Throws: ``RepositoryProblem/changeOutdated`` where it cannot be, and what ``state(at:)`` throws.
  package func pendingDraft(
    for base: RepositoryState?,
    at now: Timestamp
  ) throws -> RepositoryDraft? {
    guard let folder = try openWork().openFolderIfPresent(RepositoryLayout.pending) else {
      return nil
    }
    guard let (draft, isRebased) = try draft(in: folder, for: base, at: now) else { return nil }
    if isRebased { try stage(draft) }
    return draft
  }

  /// What the change that waits still lacks; reads alone, and makes nothing.
  ///
  /// - Throws: ``RepositoryProblem/changeOutdated`` for one that nobody can complete any more.
  package func waiting(
    for state: RepositoryState?,
    at now: Timestamp
  ) throws -> [MissingSignatures] {
    let place = RepositoryLayout.work + "/" + RepositoryLayout.pending
    guard let pending = try folder.openFolderIfPresent(place),
      try PendingFiles.intent(in: pending) == .waits
    else { return [] }
    return try draft(in: pending, for: state, at: now)?.draft.missing ?? []
  }

  private func draft(
    in pending: borrowing Folder,
    for base: RepositoryState?,
    at now: Timestamp
  ) throws -> (draft: RepositoryDraft, isRebased: Bool)? {
    let expected = try PendingFiles.base(in: pending)
    let found = base?.timestamp.contents.header.version ?? 0
    guard try PendingFiles.follows(base, in: pending) else {
      return (try rebased(pending, onto: base, at: now), true)
    }
    var draft = try PendingFiles.draft(in: pending, for: base)
    if expected != found { draft.forgetTimestamp() }
    return (draft, false)
  }

  private func rebased(
    _ pending: borrowing Folder,
    onto base: RepositoryState?,
    at now: Timestamp
  ) throws -> RepositoryDraft {
    let made = try PendingFiles.versions(in: pending)
    guard let base, made.root == base.root.version, made.snapshot > 0 else {
      throw RepositoryProblem.changeOutdated
    }
    let draft = try PendingFiles.draft(in: pending, for: nil)
    return try draft.rebased(onto: base, from: try old(draft, snapshot: made.snapshot), at: now)
  }

  /// The targets roles that a change makes anew, as they were in an earlier snapshot.
  private func old(
    _ draft: RepositoryDraft,
    snapshot version: Int
  ) throws -> [RoleName: TargetsMetadata] {
    let limits = MetadataLimits.standard
    let place = RepositoryLayout.metadata(.snapshot, version)
    guard let bytes = try read(place, limit: limits.snapshot) else { return [:] }
    do {
      let files = try SignedSnapshot(parsing: bytes, as: .snapshot, limit: limits.snapshot)
        .contents.files
      var roles: [RoleName: TargetsMetadata] = [:]
      for role in draft.targets.keys {
        guard let facts = files[role],
          let old = try read(RepositoryLayout.metadata(role, facts.version), limit: limits.targets)
        else { continue }
        roles[role] = try SignedTargets(parsing: old, as: role, limit: limits.targets).contents
      }
      return roles
    } catch let error as MetadataRefusal {
      throw RepositoryProblem.refused(error, file: place)
    }
  }

  // MARK: Beside another

  /// Puts a change that waits to where it stays while another is published.
  func setAside(_ work: borrowing Folder) throws {
    guard let pending = try work.openFolderIfPresent(RepositoryLayout.pending),
      try PendingFiles.intent(in: pending) == .waits
    else { return }
    try work.renameWithoutReplacing(RepositoryLayout.pending, to: work, RepositoryLayout.aside)
    try work.sync()
  }

  /// Lets a change wait on that was put aside.
  func bringBack(_ work: borrowing Folder) throws {
    guard try work.status(of: RepositoryLayout.aside) != nil,
      try work.status(of: RepositoryLayout.pending) == nil
    else { return }
    try work.renameWithoutReplacing(RepositoryLayout.aside, to: work, RepositoryLayout.pending)
    try work.sync()
  }
}
