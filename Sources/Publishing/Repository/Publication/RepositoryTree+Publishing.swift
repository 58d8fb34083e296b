package import Manifests
import SystemFiles
import Trust

extension RepositoryTree {
  private static let staged = "next"

  /// What a change that was found in the tree came to.
  package enum Recovery: Hashable, Sendable {
    case nothing
    /// An interrupted publication was completed.
    case completed
    /// A change waits for signatures.
    case waiting
  }

  /// Completes what an interrupted publisher has left; call it under the lock, before the state is read.
  package func recover() throws -> Recovery {
    let work = try openWork()
    try work.removeTree(Self.staged)
    for entry in try work.entries() where entry.name.utf8.starts(with: "blob.".utf8) {
      try work.removeFile(entry.name)
    }
    guard let folder = try work.openFolderIfPresent(RepositoryLayout.pending) else {
      return .nothing
    }
    guard case .publishes(let isRootLast) = try PendingFiles.intent(in: folder) else {
      return .waiting
    }
    // Signed and checked before it came to its name; only to be moved is left.
    let draft = try PendingFiles.draft(in: folder, for: nil)
    try move(draft, base: try PendingFiles.base(in: folder), isRootLast: isRootLast)
    return .completed
  }

  /// The change that waits for signatures; nil if there is none.
  package func pendingDraft(for base: RepositoryState?) throws -> RepositoryDraft? {
    guard let folder = try openWork().openFolderIfPresent(RepositoryLayout.pending) else {
      return nil
    }
    let expected = try PendingFiles.base(in: folder)
    let found = base?.timestamp.contents.header.version ?? 0
    guard expected == found else {
      throw RepositoryProblem.publishedMeanwhile(expected: expected, found: found)
    }
    return try PendingFiles.draft(in: folder, for: base)
  }

  /// Takes away the change that waits; what it has written is named by nothing.
  package func discardPending() throws {
    let work = try openWork()
    guard try work.status(of: RepositoryLayout.pending) != nil else {
      throw RepositoryProblem.nothingPending
    }
    try removePending(work)
  }

  /// Puts a change where it waits, or takes the place of the one that waited; a crash leaves the old one or the new one.
  package func stage(_ draft: RepositoryDraft) throws { try stage(draft, .waits) }

  private func stage(_ draft: RepositoryDraft, _ intent: PendingFiles.Intent) throws {
    try write(draft.documents)
    let work = try openWork()
    try work.removeTree(Self.staged)
    let next = try work.makeFolder(Self.staged, mode: 0o700)
    for (name, bytes) in PendingFiles.files(of: draft, intent) {
      try next.createWhole(name, with: bytes.span, mode: 0o600)
    }
    try next.sync()
    if try work.status(of: RepositoryLayout.pending) == nil {
      try work.renameWithoutReplacing(Self.staged, to: work, RepositoryLayout.pending)
    } else {
      try work.exchange(Self.staged, with: work, RepositoryLayout.pending)
    }
    try work.sync()
    try work.removeTree(Self.staged)
  }

  /// Publishes a complete change: checks it as a client would, leaves it where the next publisher finds it, and moves it.
  ///
  /// - Throws: ``RepositoryProblem``, also for what a client would refuse, and `SystemError`.
  package func publish(_ draft: RepositoryDraft, at now: Timestamp) throws {
    guard draft.isComplete else { throw RepositoryProblem.tooFewSignatures(draft.missing) }
    try StagedTree.check(draft, at: now) { path, limit in try self.read(path, limit: limit) }
    let isRootLast = draft.base != nil && draft.suitsOldRoot
    try stage(draft, .publishes(isRootLast: isRootLast))
    try move(
      draft,
      base: draft.base?.timestamp.contents.header.version ?? 0,
      isRootLast: isRootLast
    )
  }

  /// Moves the parts of a complete change to their places, in the order in which clients ask for none that is not there.
  private func move(_ draft: RepositoryDraft, base: Int, isRootLast: Bool) throws {
    for (role, file) in draft.targets {
      try create(RepositoryLayout.metadata(role, file.contents.header.version), file.bytes)
    }
    if let snapshot = draft.snapshot {
      try create(
        RepositoryLayout.metadata(.snapshot, snapshot.contents.header.version),
        snapshot.bytes
      )
    }
    if !isRootLast { try publishRoot(draft) }
    try publishTimestamp(draft, base: base)
    if isRootLast { try publishRoot(draft) }
    try removePending(openWork())
  }

  /// Takes the change away at one instant, and then what is left of it.
  private func removePending(_ work: borrowing Folder) throws(SystemError) {
    try work.removeTree(Self.staged)
    try work.rename(RepositoryLayout.pending, to: work, Self.staged)
    try work.sync()
    try work.removeTree(Self.staged)
  }

  private func publishRoot(_ draft: RepositoryDraft) throws {
    guard let root = draft.root else { return }
    try create(RepositoryLayout.metadata(.root, root.contents.header.version), root.bytes)
    try replace(RepositoryLayout.newestRoot, root.bytes)
  }

  /// Replaces the timestamp if it is still the one that the change was made for.
  private func publishTimestamp(_ draft: RepositoryDraft, base: Int) throws {
    guard let timestamp = draft.timestamp else { return }
    let place = RepositoryLayout.metadata(.timestamp, 0)
    let limit = MetadataLimits.standard.timestamp
    if let bytes = try read(place, limit: limit) {
      guard bytes != timestamp.bytes else { return }
      let found: SignedTimestamp
      do { found = try SignedTimestamp(parsing: bytes, as: .timestamp, limit: limit) } catch {
        throw RepositoryProblem.refused(error, file: place)
      }
      let version = found.contents.header.version
      guard version == base else {
        throw RepositoryProblem.publishedMeanwhile(expected: base, found: version)
      }
    }
    try replace(place, timestamp.bytes)
  }
}

extension RepositoryTree {
  /// What the change that waits still lacks; reads alone, and makes nothing.
  package func waiting(for state: RepositoryState?) throws -> [MissingSignatures] {
    let place = RepositoryLayout.work + "/" + RepositoryLayout.pending
    guard let pending = try folder.openFolderIfPresent(place),
      try PendingFiles.intent(in: pending) == .waits
    else { return [] }
    return try PendingFiles.draft(in: pending, for: state).missing
  }
}
