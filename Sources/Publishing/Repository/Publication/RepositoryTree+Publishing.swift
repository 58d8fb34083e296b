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
    try bringBack(work)
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
    let (draft, base) = (
      try PendingFiles.draft(in: folder, for: nil), try PendingFiles.base(in: folder)
    )
    try requireBase(draft, base)
    try StagedTree.check(draft, at: .earliest) { path, limit in try self.read(path, limit: limit) }
    try move(draft, base: base, isRootLast: isRootLast)
    try bringBack(work)
    return .completed
  }

  /// Takes away the change that waits; what it has written is named by nothing.
  ///
  /// - Throws: ``RepositoryProblem/publishedAlready`` for one whose publication had begun, which is completed; one that
  ///   somebody else was faster than is taken back, with its numbered files, of which nobody was told.
  package func discardPending() throws {
    let work = try openWork()
    try bringBack(work)
    guard let folder = try work.openFolderIfPresent(RepositoryLayout.pending) else {
      throw RepositoryProblem.nothingPending
    }
    do {
      if try recover() == .completed { throw RepositoryProblem.publishedAlready }
    } catch RepositoryProblem.publishedMeanwhile {
      try removeFiles(of: PendingFiles.draft(in: folder, for: nil))
    } catch RepositoryProblem.versionTaken {
      try removeFiles(of: PendingFiles.draft(in: folder, for: nil))
    } catch let error where error is SystemError || Self.isTooLate(error) {
      throw error
    } catch {
      // What cannot be read, or clients would refuse, can never be published.
    }
    try removePending(work)
  }

  private static func isTooLate(_ error: any Error) -> Bool {
    error as? RepositoryProblem == .publishedAlready
  }

  /// Frees the numbers that an outrun change has taken, unless what is published names them; never those of roots.
  private func removeFiles(of draft: RepositoryDraft) throws {
    let limits = MetadataLimits.standard
    guard
      let bytes = try read(RepositoryLayout.metadata(.timestamp, 0), limit: limits.timestamp)
    else { return }
    let current = try SignedTimestamp(parsing: bytes, as: .timestamp, limit: limits.timestamp)
    let number = current.contents.snapshot.version
    guard
      let named = try read(RepositoryLayout.metadata(.snapshot, number), limit: limits.snapshot)
    else { return }
    let files = try SignedSnapshot(parsing: named, as: .snapshot, limit: limits.snapshot).contents
      .files
    for (role, file) in draft.targets where files[role]?.version != file.version {
      try remove(RepositoryLayout.metadata(role, file.version), file.bytes)
    }
    if let snapshot = draft.snapshot, number != snapshot.version {
      try remove(RepositoryLayout.metadata(.snapshot, snapshot.version), snapshot.bytes)
    }
  }

  /// Removes a file of metadata that has exactly these bytes.
  private func remove(_ path: String, _ bytes: [UInt8]) throws {
    guard try read(path, limit: MetadataLimits.standard.targets) == bytes,
      let metadata = try folder.openFolderIfPresent("metadata")
    else { return }
    try metadata.removeFile(splitPath(path).1)
  }

  /// Puts a change where it waits, or takes the place of the one that waited; a crash leaves the old one or the new one.
  package func stage(_ draft: RepositoryDraft) throws { try stage(draft, .waits) }

  func stage(_ draft: RepositoryDraft, _ intent: PendingFiles.Intent) throws {
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
  /// - Parameters:
  ///   - draft: The change.
  ///   - now: The time by which clients judge it.
  ///   - isBesideAnother: Whether it is another change than the one that waits, which then waits on.
  /// - Throws: ``RepositoryProblem``, also for what a client would refuse, and `SystemError`.
  package func publish(
    _ draft: RepositoryDraft,
    at now: Timestamp,
    isBesideAnother: Bool = false
  ) throws {
    guard draft.isComplete else { throw RepositoryProblem.tooFewSignatures(draft.missing) }
    try StagedTree.check(draft, at: now) { path, limit in try self.read(path, limit: limit) }
    let base = draft.base?.timestamp.contents.header.version ?? 0
    try requireBase(draft, base)
    // One file comes at one instant, and leaves alone what waits for signatures.
    if draft.isTimestampAlone { return try publishTimestamp(draft, base: base) }
    let isRootLast = draft.isRootLast(at: now)
    let work = try openWork()
    if isBesideAnother { try setAside(work) }
    try stage(draft, .publishes(isRootLast: isRootLast))
    try move(draft, base: base, isRootLast: isRootLast)
    try bringBack(work)
  }

  /// Refuses to go on unless the timestamp is the one that the change was made for, or its own, or was lost and the change has
  /// the next one.
  private func requireBase(_ draft: RepositoryDraft, _ base: Int) throws {
    let place = RepositoryLayout.metadata(.timestamp, 0)
    let limit = MetadataLimits.standard.timestamp
    guard let bytes = try read(place, limit: limit) else {
      guard base == 0 || draft.timestamp != nil else { throw RepositoryProblem.missing(place) }
      return
    }
    if bytes == draft.timestamp?.bytes { return }
    let found: SignedTimestamp
    do { found = try SignedTimestamp(parsing: bytes, as: .timestamp, limit: limit) } catch {
      throw RepositoryProblem.refused(error, file: place)
    }
    guard found.version == base else {
      throw RepositoryProblem.publishedMeanwhile(expected: base, found: found.version)
    }
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
    try requireBase(draft, base)
    let place = RepositoryLayout.metadata(.timestamp, 0)
    guard try read(place, limit: MetadataLimits.standard.timestamp) != timestamp.bytes else {
      return
    }
    try replace(place, timestamp.bytes)
  }
}

extension RepositoryTree {
  /// Whether a publication was interrupted that the next command which changes something completes.
  package var isInterrupted: Bool {
    get throws {
      let place = RepositoryLayout.work + "/" + RepositoryLayout.pending
      guard let pending = try folder.openFolderIfPresent(place) else {
        return try folder.openFolderIfPresent(RepositoryLayout.work)?
          .status(of: RepositoryLayout.aside) != nil
      }
      return try PendingFiles.intent(in: pending) != .waits
    }
  }
}
