package import Manifests
package import SystemFiles
package import Trust

/// What the records of a model say, and what lies under its versions, at one moment.
///
/// Two looks that are equal saw the same. Nothing in it was read from model files.
package struct ModelLook: Hashable, Sendable {
  package let record: RecordState
  package let versions: [ModelStatus.StoredVersion]
  package let bad: MarksState<BadVersions>
  package let pins: MarksState<PinnedVersions>
  package let floor: VersionHistory.Floor
  /// The generation of the last activation by the word of the floor; 0 where it has none.
  package let floorGeneration: Int
  /// Whether the floor does not say yet what follows from the record.
  package let isFloorBehind: Bool
  /// Where `current` leads; nil without such a link.
  package let link: String?
  /// Where `current` should lead; nil without a record.
  package let wantedLink: String?
  /// The names beneath `versions` that are none of a version.
  package let oddVersions: [String]
}

extension StoredModel {
  /// The pause between two looks while another process is at work, and how many there are at most: two minutes, since
  /// a process that has the lock may be stopped, or wait for its disk.
  package static let (lookPause, lookLimit) = (UInt32(20_000), 6_000)

  /// Looks at the model without a lock and without writing.
  package func look() throws -> ModelLook {
    let record = try recordState()
    let floor = try floorState()
    return ModelLook(
      record: record,
      versions: try versionNames().map {
        ModelStatus.StoredVersion(name: $0, proof: try proof(of: $0))
      },
      bad: try badVersions(),
      pins: try pinnedVersions(),
      floor: floor.floor,
      floorGeneration: floor.generation,
      isFloorBehind: record.record.flatMap { record in
        record.good.map { floor.isBehind($0, generation: record.generation) }
      } ?? false,
      link: try folder.linkTarget(StoreLayout.currentLink),
      wantedLink: record.record.map { Self.linkTarget(of: $0.active.name) },
      oddVersions: try folder.entriesOfPart(StoreLayout.versions)
        .filter { entry in
          entry.name != StoreLayout.cacheTag
            && (entry.kind != .folder || VersionName(entry.name) == nil)
        }
        .map(\.name)
    )
  }

  /// Whether another process is known to change the state of the model at this moment.
  ///
  /// A user who must not open the lock does not know.
  package func isStateChanging() throws -> Bool { try folder.isLocked(StoreLayout.stateLock) }
}

/// A version that somebody looks at for long: its folders stay open, and its lease is held where there can be one.
package struct VersionPlace: ~Copyable, Sendable {
  package let name: VersionName
  /// The folder of the version.
  package let folder: Folder
  /// The folder of its files; nil if it has none.
  package let files: Folder?
  private let identity: FileIdentity
  private let lease: FileLock?

  fileprivate init(
    name: VersionName,
    folder: consuming Folder,
    files: consuming Folder?,
    identity: FileIdentity,
    lease: consuming FileLock?
  ) {
    self.name = name
    self.folder = folder
    self.files = files
    self.identity = identity
    self.lease = lease
  }

  /// Whether garbage collection knows that the version is in use.
  package var isLeased: Bool {
    switch lease {
    case .some: true
    case .none: false
    }
  }

  fileprivate func isAt(_ status: FileStatus?) -> Bool { status?.identity == identity }

  /// Gives the lease back, which is held until here even though nothing else uses the value.
  package consuming func release() {}
}

/// What the file system says of the files of a version, and what its stamp does.
///
/// Two that are equal say that nobody touched anything in between.
package struct VersionTrace: Equatable, Sendable {
  private let look: StampLook?
  private let stamp: Stamp?

  fileprivate init(look: StampLook?, stamp: Stamp?) {
    self.look = look
    self.stamp = stamp
  }

  /// When the manifest was first accepted; nil where the stamp is lost.
  package var acceptedAt: Timestamp? { stamp?.acceptedAt }
}

extension StoredModel {
  /// Opens a version and leases it, writing nothing: without a lease file that is there it goes on without one.
  ///
  /// Nil if the version is gone.
  package func place(of name: VersionName) throws -> VersionPlace? {
    let lease = try existingLease(of: name)
    let versions = try folder.openFolder(StoreLayout.versions)
    guard let version = try versions.openFolderProper(name.text) else { return nil }
    return VersionPlace(
      name: name,
      folder: try version.openFolder("."),
      files: try version.openFolderProper(StoreLayout.files),
      identity: try version.status().identity,
      lease: lease
    )
  }

  private func existingLease(of name: VersionName) throws(SystemError) -> FileLock? {
    guard options.locking == .kernel, let leases = try folder.openFolderProper(StoreLayout.leases)
    else { return nil }
    do {
      return try FileLock.takeExisting(name.text, in: leases, .shared)
    } catch let error where error.isAboutFile {
      return nil
    }
  }

  /// Whether the place is still that of the version, which nobody has taken away or replaced.
  package func isThere(_ place: borrowing VersionPlace) throws -> Bool {
    let versions = try folder.openFolder(StoreLayout.versions)
    return place.isAt(try versions.status(of: place.name.text))
  }

  /// What the file system says now of these files of a version.
  package func trace(
    of place: borrowing VersionPlace,
    at paths: [RelativePath]
  ) throws -> VersionTrace {
    var look: StampLook?
    switch place.files {
    case .some(let files): look = try StampLook(at: paths, in: files)
    case .none: look = nil
    }
    return VersionTrace(look: look, stamp: try stamp(of: place.name))
  }

  /// The envelope that lies with a version, and the copy of it where backups find it; nil for one that is not there.
  package func envelopes(
    of place: borrowing VersionPlace
  ) throws -> (own: [UInt8]?, copy: [UInt8]?) {
    (
      try place.folder.readRecord(StoreLayout.manifest, limit: Envelope.maximumSize),
      try keptManifest(of: place.name)
    )
  }

  /// The permission bits of what is published in this store.
  package var publishedModes: (file: UInt32, folder: UInt32) {
    (kind.publishedFile, kind.publishedFolder)
  }

  /// The user to whom everything in this store belongs; nil for a store that a group shares.
  package func owner() throws -> UInt32? { kind == .group ? nil : try store.status().owner }

  /// The names that a version's folder has, and no others.
  package static let partsOfVersion = [StoreLayout.manifest, StoreLayout.files]
}
