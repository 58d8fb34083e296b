import Glibc
import Manifests
import SystemFiles

extension StoredModel {
  /// Everything of this model that garbage collection looks at, each with the reason to keep it that is known without
  /// changing anything.
  func collectionPlan(
    _ options: CollectionOptions,
    now: Timestamp
  ) throws -> [CollectedItem] {
    let isBusy = try folder.isLocked(StoreLayout.installLock)
    var items: [CollectedItem] = []
    for name in try stagingEntries() {
      let reason: KeepReason? =
        isBusy ? .installing : options.freesCandidates ? nil : .notAsked
      items.append(try item(.candidate, name, in: StoreLayout.staging, reason))
    }
    let doomed = Set(try doomedTrash(at: now))
    for entry in try trashEntries() {
      let isReplaced = StoreLayout.isReplaced(entry.name)
      let reason: KeepReason? =
        doomed.contains(entry.name) ? nil : isReplaced ? .replaced : .removed
      items.append(try item(.trash, entry.name, in: StoreLayout.trash, reason))
    }
    let names = try versionNames()
    let reasons = try retention(options, isBusy: isBusy).reasons(among: names)
    for name in try oldestFirst(names) {
      let reason = reasons[name] ?? reasonOfUse(name)
      items.append(try item(.version, name.text, in: StoreLayout.versions, reason))
    }
    return items
  }

  /// Takes one part of the plan away, if nothing speaks against it now; returns what does.
  func collect(_ item: CollectedItem, _ options: CollectionOptions) throws -> KeepReason? {
    switch item.kind {
    case .candidate:
      guard let lock = try takeInstallLock() else { return .installing }
      let reason = try delete(item.name, in: StoreLayout.staging)
      lock.release()
      return reason
    case .trash:
      return try delete(item.name, in: StoreLayout.trash)
    case .version:
      guard let name = VersionName(item.name) else { return nil }
      let reason = try withStateLock { try moveToTrash(name, unlessKeptBy: options) }
      if reason == nil { try emptyTrashOf(name) }
      return reason
    }
  }

  private func moveToTrash(
    _ name: VersionName,
    unlessKeptBy options: CollectionOptions
  ) throws -> KeepReason? {
    let names = try versionNames()
    guard names.contains(name) else { return nil }
    let isBusy = try folder.isLocked(StoreLayout.installLock)
    if let reason = try retention(options, isBusy: isBusy).reasons(among: names)[name] {
      return reason
    }
    guard self.options.locking == .kernel else { return .unknownLease }
    guard let leases = try? folder.openFolder(StoreLayout.leases) else { return .unknownLease }
    return try moveToTrash(name, leasedIn: leases)
  }

  /// Takes the version away while nobody can lease it.
  private func moveToTrash(
    _ name: VersionName,
    leasedIn leases: borrowing Folder
  ) throws -> KeepReason? {
    var reason = KeepReason.leased
    let lock = exclusiveLease(name, in: leases, orElse: &reason)
    guard let lock else { return reason }
    if let reason = reasonOfOpenFiles(name) { return reason }
    try moveToTrash(name)
    try leases.removeFile(name.text)
    lock.release()
    return nil
  }

  private func exclusiveLease(
    _ name: VersionName,
    in leases: borrowing Folder,
    orElse reason: inout KeepReason
  ) -> FileLock? {
    do {
      return try FileLock.take(name.text, in: leases, .exclusive, mode: kind.leaseFile)
    } catch {
      reason = .unknownLease
      return nil
    }
  }

  private func retention(_ options: CollectionOptions, isBusy: Bool) throws -> Retention {
    let live =
      isBusy ? Set(try candidateNames() + [installHolder()?.version].compactMap { $0 }) : []
    let withdrawn = options.withdrawn[name] ?? []
    return Retention(
      record: try recordState(),
      pins: try pinnedVersions(),
      linked: try linkedName(),
      live: live,
      withdrawn: Set(
        try withdrawn.isEmpty
          ? [] : versionNames().filter { version in withdrawn.contains { version.belongs(to: $0) } }
      ),
      areWithdrawalsKnown: !options.unknownWithdrawals.contains(name),
      newestCount: options.newestCount
    )
  }

  /// Oldest first, by the time of first acceptance where that is known, then by precedence.
  private func oldestFirst(_ names: [VersionName]) throws -> [VersionName] {
    let times = try names.map { try stamp(of: $0)?.acceptedAt.seconds ?? 0 }
    return zip(names, times).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map(\.element.0)
  }

  /// What the locks of leases and the kernel say of a version that no rule keeps; asks without changing anything.
  private func reasonOfUse(_ name: VersionName) -> KeepReason? {
    guard options.locking == .kernel else { return .unknownLease }
    do {
      let leases = try folder.openFolder(StoreLayout.leases)
      let isThere = try leases.status(of: name.text) != nil
      if isThere, try FileLock.takeExisting(name.text, in: leases, .exclusive) == nil {
        return .leased
      }
    } catch {
      return .unknownLease
    }
    return reasonOfOpenFiles(name)
  }

  private func reasonOfOpenFiles(_ name: VersionName) -> KeepReason? {
    do {
      let place = "\(StoreLayout.versions)/\(name.text)"
      return try folder.openFolder(place).hasFileInUse() ? .open : nil
    } catch {
      return .unknownOpen
    }
  }

  private func item(
    _ kind: CollectedItem.Kind,
    _ name: String,
    in place: String,
    _ reason: KeepReason?
  ) throws -> CollectedItem {
    let bytes = (try? folder.openFolder(place).openFolder(name).allocatedSize()) ?? 0
    return CollectedItem(model: self.name, kind: kind, name: name, bytes: bytes, keptFor: reason)
  }

  private func delete(_ name: String, in place: String) throws -> KeepReason? {
    do {
      try folder.openFolder(place).removeTree(name)
      return nil
    } catch {
      return .undeletable
    }
  }

  private func emptyTrashOf(_ name: VersionName) throws {
    let trash = try folder.openFolder(StoreLayout.trash)
    for entry in try trash.entries() where StoreLayout.isTemporary(entry.name, of: name.text) {
      // What cannot be deleted now is tried again.
      try? trash.removeTree(entry.name)
    }
  }
}

extension Folder {
  /// Whether any file beneath this folder is in use elsewhere.
  ///
  /// Throws what makes that unknown.
  fileprivate func hasFileInUse() throws(SystemError) -> Bool {
    for entry in try entries() {
      switch entry.kind {
      case .folder:
        if try openFolder(entry.name).hasFileInUse() { return true }
      case .file:
        if try openFile(entry.name).isInUseElsewhere() { return true }
      case .link, .other: break
      }
    }
    return false
  }
}
