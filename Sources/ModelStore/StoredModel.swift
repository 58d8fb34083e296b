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
}

extension ModelName {
  /// Reads the name of a model's folder, in which the `/` is written `+`.
  init(folderName: String) throws {
    try self.init(String(folderName.map { $0 == "+" ? "/" : $0 }))
  }
}

extension Store {
  /// Opens what the store holds of a model for changing it, making its folders where they are missing.
  package func modelForChanging(_ name: ModelName) throws -> StoredModel {
    let place = "\(path)/\(StoreLayout.models)/\(name.folderName)"
    do {
      let models = try root.makeFolder(StoreLayout.models, mode: StoreLayout.privateFolder)
      let folder = try models.makeFolder(name.folderName, mode: StoreLayout.privateFolder)
      try makeParts(of: folder, at: place)
      _ = try root.makeFolder(StoreLayout.floors, mode: StoreLayout.privateFolder)
      try models.sync()
      try root.sync()
      return try model(name, in: folder)
    } catch let error as SystemError {
      throw error.beneath(path)
    }
  }

  private func makeParts(
    of folder: borrowing Folder,
    at place: String
  ) throws(SystemError) {
    for part in [
      StoreLayout.versions, StoreLayout.stamps, StoreLayout.staging, StoreLayout.trash,
    ] {
      do {
        _ = try folder.makeFolder(part, mode: StoreLayout.privateFolder)
      } catch {
        throw error.beneath(place)
      }
    }
  }

  /// Opens what the store holds of a model for reading; throws `noSuchModel` if that is nothing.
  package func model(_ name: ModelName) throws -> StoredModel {
    let place = "\(StoreLayout.models)/\(name.folderName)"
    do {
      return try model(name, in: try root.openFolder(place))
    } catch let error as SystemError where error.isNotFound {
      throw StoreError.noSuchModel(name)
    }
  }

  private func model(_ name: ModelName, in folder: consuming Folder) throws -> StoredModel {
    StoredModel(
      name: name,
      path: "\(path)/\(StoreLayout.models)/\(name.folderName)",
      store: try root.openFolder("."),
      folder: folder
    )
  }
}
