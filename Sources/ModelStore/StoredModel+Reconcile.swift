package import Manifests
import SystemFiles

extension StoredModel {
  /// What reconciling would do now; looks without a lock and writes nothing.
  package func reconcileSteps(now: Timestamp?) throws -> [ReconcileStep] {
    let isBusy = try folder.isLocked(StoreLayout.installLock)
    return try snapshot(ownsStaging: !isBusy, now: now).steps.filter { step in
      guard case .removeLease(let name) = step else { return true }
      // Whoever is about to bring a version in leases it before it is there.
      let leases = try folder.openFolder(StoreLayout.leases)
      return try FileLock.takeExisting(name.text, in: leases, .exclusive) != nil
    }
  }

  /// Finishes what a killed process has left half done, as far as names tell it.
  ///
  /// Offline, and the same again changes nothing.
  ///
  /// Points `current` at the active version, raises the floor, and removes temporary files, stamps without a
  /// version, and the trash. Candidates stay that may be resumed.
  /// - Parameters:
  ///   - lock: The right to touch candidates.
  ///   - now: The time at which what a person removed counts as gone; without it the trash stays.
  /// - Returns: What was done.
  /// - Throws: ``StoreError`` or `SystemError`.
  @discardableResult
  package func reconcile(
    holding lock: borrowing InstallLock,
    now: Timestamp?
  ) throws -> [ReconcileStep] {
    try reconcile(ownsStaging: true, now: now)
  }

  /// Does the same for a caller without the install lock: what is in staging is left alone while another process
  /// installs.
  @discardableResult
  package func reconcile(now: Timestamp?) throws -> [ReconcileStep] {
    if let lock = try takeInstallLock() {
      let steps = try reconcile(ownsStaging: true, now: now)
      lock.release()
      return steps
    }
    return try reconcile(ownsStaging: false, now: now)
  }

  private func reconcile(ownsStaging: Bool, now: Timestamp?) throws -> [ReconcileStep] {
    let done = try withStateLock {
      let steps = try snapshot(ownsStaging: ownsStaging, now: now).steps
      return try steps.filter { try take($0) }
    }
    for case .deleteTrash(let name) in done {
      // What cannot be deleted now stands in the way of nothing, and is tried again.
      try? folder.openFolder(StoreLayout.trash).removeTree(name)
    }
    return done
  }

  /// Does one step under the state lock; false if it need not be done after all.
  private func take(_ step: ReconcileStep) throws -> Bool {
    switch step {
    case .removeLeftover(let place):
      // Without locks it may be what another process is writing now.
      guard keepsOthersOut else { return false }
      try removeLeftover(place)
    case .removeLease(let name): return try removeLease(of: name)
    case .makeLease(let name): try makeLease(of: name)
    case .replaceLease(let name):
      try folder.openFolder(StoreLayout.leases).removeTree(name.text)
      try makeLease(of: name)
    case .keepManifest(let name):
      guard let envelope = try ownManifest(of: name) else { return false }
      try keepManifestForBackups(envelope, of: name)
    case .closeFolder(let name): try closeFolder(of: name)
    case .pointLink, .removeLink:
      guard let record = try recordState().record else { return false }
      try pointCurrentLink(to: record)
    case .raiseFloor:
      guard let record = try recordState().record else { return false }
      try raiseFloor(by: record)
    case .removeCandidate(let name):
      try folder.openFolder(StoreLayout.staging).removeTree(name.text)
    case .deleteTrash: break
    case .replacePart, .verify, .rollBack, .endTrial, .discard, .writeRecord: return false
    }
    return true
  }

  private func removeLeftover(_ place: String) throws {
    let (part, name) = splitPath(place)
    switch part {
    case ".": try folder.removeFile(name)
    case StoreLayout.floors: try store.openFolder(part).removeFile(name)
    default: try folder.openFolder(part).removeFile(name)
    }
  }

  /// Removes the lease of a version that is gone, unless somebody holds it who is about to bring the version in.
  private func removeLease(of name: VersionName) throws -> Bool {
    guard options.locking == .kernel else { return false }
    let leases = try folder.openFolder(StoreLayout.leases)
    guard let lock = try FileLock.takeExisting(name.text, in: leases, .exclusive) else {
      return false
    }
    try leases.removeFile(name.text)
    lock.release()
    return true
  }

  private func snapshot(ownsStaging: Bool, now: Timestamp?) throws -> ModelSnapshot {
    var names: [String: [String]] = [:]
    for part in [StoreLayout.stamps, StoreLayout.manifests] {
      names[part] = try folder.entriesOfPart(part).filter { $0.kind != .folder }.map(\.name)
    }
    let leases = try folder.entriesOfPart(StoreLayout.leases)
    names[StoreLayout.leases] = leases.filter { $0.kind == .file }.map(\.name)
    names[""] = try folder.entries().filter { $0.kind != .folder }.map(\.name)
    let versions = try versionNames()
    let copies = names[StoreLayout.manifests] ?? []
    return ModelSnapshot(
      record: try recordState(),
      floor: try floorState(),
      versions: versions,
      names: names,
      uncopied: Set(
        try versions.filter {
          try !copies.contains("\($0.text).json") && ownManifest(of: $0) != nil
        }
      ),
      oddLeases: Set(leases.filter { $0.kind != .file }.compactMap { VersionName($0.name) }),
      floorLeftovers: try floorLeftovers(),
      linkTarget: try folder.linkTarget(StoreLayout.currentLink),
      wantsLink: options.hasLink,
      candidates: ownsStaging ? try candidateNames() : [],
      stamped: Set(
        try versions.filter { name in
          try stamp(of: name).map { $0.vouches && name.belongs(to: $0.manifest) } == true
        }
      ),
      writable: Set(try versions.filter { try isWritable($0) }),
      doomed: now == nil ? [] : try doomedTrash(at: now)
    )
  }

  private func floorLeftovers() throws -> [String] {
    try store.entriesOfPart(StoreLayout.floors)
      .filter { StoreLayout.isTemporary($0.name, of: floorName) && $0.kind != .folder }
      .map { "\(StoreLayout.floors)/\($0.name)" }
  }

  /// Removes what a process has left that was killed while it changed the state; the caller holds its lock.
  func removeTemporaryFiles() throws {
    guard keepsOthersOut else { return }
    for name in [StoreLayout.activeRecord, StoreLayout.currentLink] {
      for entry in try folder.entries()
      where StoreLayout.isTemporary(entry.name, of: name) && entry.kind != .folder {
        try folder.removeFile(entry.name)
      }
    }
    for place in try floorLeftovers() { try removeLeftover(place) }
  }
}
