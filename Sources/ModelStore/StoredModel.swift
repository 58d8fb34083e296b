package import Manifests
import SystemFiles

/// What a store holds of one model.
package struct StoredModel: ~Copyable, Sendable {
  package let name: ModelName
  /// The folder of the model, from the path of the store; for messages and for printing paths.
  package let path: String
  /// The root of the store, for what outlives the model.
  let store: Folder
  /// The model's own folder.
  let folder: Folder
  let kind: StoreKind
  let options: StoreOptions
  /// The lock of the store, held for as long as somebody may change this model.
  private let lock: FileLock

  fileprivate init(
    name: ModelName,
    path: String,
    store: consuming Folder,
    folder: consuming Folder,
    kind: StoreKind,
    options: StoreOptions,
    lock: consuming FileLock
  ) {
    self.name = name
    self.path = path
    self.store = store
    self.folder = folder
    self.kind = kind
    self.options = options
    self.lock = lock
  }
}

extension StoredModel {
  fileprivate static func open(
    _ name: ModelName,
    in store: borrowing Store,
    at folder: consuming Folder
  ) throws(SystemError) -> StoredModel {
    let root = try store.root.openFolder(".")
    let lock = try store.lock.duplicate()
    return StoredModel(
      name: name,
      path: "\(store.path)/\(StoreLayout.models)/\(name.folderName)",
      store: root,
      folder: folder,
      kind: store.kind,
      options: store.options,
      lock: lock
    )
  }
}

extension ModelName {
  /// Reads the name of a model's folder, in which the `/` is written `+`.
  init(folderName: String) throws {
    try self.init(String(folderName.map { $0 == "+" ? "/" : $0 }))
  }
}

extension Store {
  /// Opens what the store holds of a model for changing it, making its folders where they are missing.
  ///
  /// Throws ``StoreError/severalDevices(path:)`` where a version could not be moved into its place at one instant.
  package func modelForChanging(_ name: ModelName) throws -> StoredModel {
    let place = "\(path)/\(StoreLayout.models)/\(name.folderName)"
    do {
      let models = try root.makeFolder(StoreLayout.models, mode: kind.folder)
      let folder = try makeFolder(of: name, in: models)
      do {
        try makeParts(of: folder, at: place)
      } catch let error as SystemError {
        throw error.beneath(place)
      }
      _ = try root.makeFolder(StoreLayout.floors, mode: kind.folder)
      try models.sync()
      try root.sync()
      return try .open(name, in: self, at: folder)
    } catch let error as SystemError {
      throw error.beneath(path)
    }
  }

  private func makeFolder(of name: ModelName, in models: borrowing Folder) throws(SystemError)
    -> Folder
  {
    do {
      return try models.makeFolder(name.folderName, mode: kind.folder)
    } catch {
      throw error.beneath("\(path)/\(StoreLayout.models)")
    }
  }

  private func makeParts(of folder: borrowing Folder, at place: String) throws {
    for part in [StoreLayout.stamps, StoreLayout.leases, StoreLayout.manifests] {
      _ = try folder.makeFolder(part, mode: kind.folder)
    }
    let versions = try folder.makeFolder(StoreLayout.versions, mode: kind.folder)
    let staging = try folder.makeFolder(StoreLayout.staging, mode: kind.folder)
    let trash = try folder.makeFolder(StoreLayout.trash, mode: kind.workFolder)
    let device = try versions.status().identity.device
    guard try staging.status().identity.device == device,
      try trash.status().identity.device == device
    else { throw StoreError.severalDevices(path: place) }
    try versions.markForBackups(isIncluded: isInBackups, mode: kind.stateFile)
    try trash.markForBackups(isIncluded: false, mode: kind.stateFile)
  }

  /// Throws `noSuchModel` if the store has nothing of the model.
  package func requireModel(_ name: ModelName) throws { _ = try model(name) }

  /// Opens what the store holds of a model for reading; throws `noSuchModel` if that is nothing.
  package func model(_ name: ModelName) throws -> StoredModel {
    let place = "\(StoreLayout.models)/\(name.folderName)"
    let folder = try root.openFolderIfPresent(place)
    guard let folder else { throw StoreError.noSuchModel(name) }
    return try .open(name, in: self, at: folder)
  }
}

extension Folder {
  /// Tells backup programs whether to pass over this folder, by a tag and, where it can be, an attribute.
  ///
  /// Nothing depends on it, so neither is synced.
  func markForBackups(isIncluded: Bool, mode: UInt32) throws(SystemError) {
    let isTagged = try status(of: StoreLayout.cacheTag) != nil
    guard isTagged == isIncluded else { return }
    if isIncluded {
      try removeFile(StoreLayout.cacheTag)
      try setAttribute(StoreLayout.backupAttribute, to: nil)
      return
    }
    try setAttribute(StoreLayout.backupAttribute, to: "false")
    do {
      let tag = try createFile(StoreLayout.cacheTag, mode: mode)
      try tag.write(Array(StoreLayout.cacheTagText.utf8).span, at: 0)
    } catch let error where error.isTaken {}
  }
}

extension Store {
  /// Sets whether backup programs are to take the bytes of models, which can be fetched again.
  package func setInBackups(_ isIncluded: Bool) throws {
    var format = StoreFormat()
    format.isInBackups = isIncluded
    try format.write(to: root, kind, at: path)
    for name in try modelNames() {
      try root.openFolder("\(StoreLayout.models)/\(name.folderName)/\(StoreLayout.versions)")
        .markForBackups(isIncluded: isIncluded, mode: kind.stateFile)
    }
  }
}
