import Glibc
package import SystemFiles

extension StoredModel {
  /// The tries and the pause between them that outlast a process which asks whether a lease is held.
  private static let (leaseTries, leasePause) = (10, UInt32(20_000))
  /// How often another version may become active while the active one is being leased.
  private static let switches = 100

  /// Takes a lease of a version, in competition with nobody but garbage collection.
  ///
  /// Goes on without one where there can be none; the value says so.
  package func lease(_ name: VersionName) throws(SystemError) -> VersionLease {
    guard options.locking == .kernel else { return VersionLease(name, nil) }
    for attempt in 1...Self.leaseTries {
      var isTaken = false
      guard let lock = try sharedLease(name, isTaken: &isTaken) else {
        if !isTaken { break }
        if attempt < Self.leaseTries { usleep(Self.leasePause) }
        continue
      }
      // A lease file that was removed meanwhile, with its version, says nothing to anybody.
      let leases = try folder.openFolder(StoreLayout.leases)
      if let now = try leases.status(of: name.text), try lock.status()?.identity == now.identity {
        return VersionLease(name, lock)
      }
    }
    return VersionLease(name, nil)
  }

  /// A shared lock of the lease file; nil if somebody holds it alone, as `isTaken` says, or if there can be none.
  private func sharedLease(
    _ name: VersionName,
    isTaken: inout Bool
  ) throws(SystemError) -> FileLock? {
    do {
      let leases = try folder.openFolder(StoreLayout.leases)
      isTaken = true
      do {
        return try FileLock.take(name.text, in: leases, .shared, mode: kind.leaseFile)
      } catch let error where error.isNotWritable {
        return try FileLock.takeExisting(name.text, in: leases, .shared)
      }
    } catch let error where error.isNotFound || error.isNotWritable {
      isTaken = false
      return nil
    }
  }

  /// Runs `body` while nobody else can lease any of these versions; the caller holds the state lock.
  ///
  /// Throws `inUse` if somebody holds a lease, and what keeps that from being known.
  func withLeasesAlone<Value>(
    of names: ArraySlice<VersionName>,
    _ body: () throws -> Value
  ) throws -> Value {
    guard let first = names.first else { return try body() }
    let lock = try leaseAlone(first)
    let value = try withLeasesAlone(of: names.dropFirst(), body)
    lock.release()
    return value
  }

  private func leaseAlone(_ name: VersionName) throws -> FileLock {
    guard options.locking == .kernel else { return .absent() }
    let leases = try folder.openFolder(StoreLayout.leases)
    for attempt in 1...Self.leaseTries {
      if let lock = try FileLock.take(name.text, in: leases, .exclusive, mode: kind.leaseFile) {
        return lock
      }
      if attempt < Self.leaseTries { usleep(Self.leasePause) }
    }
    throw StoreError.inUse(self.name, name.version)
  }

  /// Leases the active version: what it gives stays whole until it ends, whatever becomes active meanwhile.
  ///
  /// Reads the record, takes the lease, and reads the record again, so that nothing can be collected in between.
  /// Throws `nothingActive`, `damagedRecord`, or `noSuchVersion` where the bytes of the version are gone.
  package func leaseActive() throws -> LeasedModel {
    var record = try activeRecord()
    for _ in 1...Self.switches {
      let lease = try lease(record.active.name)
      let now = try activeRecord()
      guard now.active == record.active else {
        record = now
        continue
      }
      let place = "\(StoreLayout.versions)/\(now.active.name.text)/\(StoreLayout.files)"
      let files = try folder.openFolderIfPresent(place)
      guard let files else { throw StoreError.noSuchVersion(name, now.active.version) }
      return LeasedModel(
        record: now,
        files: files,
        filesPath: filesPath(of: now.active.name),
        lease: lease
      )
    }
    throw StoreError.busy(name)
  }
}
