package import Manifests
import SystemFiles

/// What stands in a place where something else belongs.
extension Store {
  /// The parts of a model that hold nothing but what can be made anew.
  private static let renewableParts = [
    StoreLayout.stamps, StoreLayout.leases, StoreLayout.manifests, StoreLayout.staging,
    StoreLayout.trash,
  ]

  /// The paths of what lies among the folders of the models and is none.
  package func oddEntries() throws -> [String] {
    guard try root.status(of: StoreLayout.models) != nil else { return [] }
    return try root.openFolder(StoreLayout.models).entries()
      .filter { entry in
        entry.kind != .folder || (try? ModelName(folderName: entry.name)) == nil
      }
      .map { "\(path)/\(StoreLayout.models)/\($0.name)" }
  }

  /// The folders of a model in whose places something else stands, and which can be made anew.
  package func oddParts(of name: ModelName) throws -> [String] {
    let folder = try root.openFolder("\(StoreLayout.models)/\(name.folderName)")
    return try Self.renewableParts.filter { part in
      guard let status = try folder.status(of: part) else { return false }
      return status.kind != .folder
    }
  }

  /// Removes what stands in their places, so that the next change of the model makes them anew; returns their names.
  ///
  /// What a link leads to is left alone.
  package func removeOddParts(of name: ModelName) throws -> [String] {
    let parts = try oddParts(of: name)
    let folder = try root.openFolder("\(StoreLayout.models)/\(name.folderName)")
    for part in parts { try folder.removeFile(part) }
    if !parts.isEmpty { try folder.sync() }
    return parts
  }

  /// Why nobody may change this store who opens it so; nil if that is allowed, or the store is one for all to read.
  package func doubt(_ options: StoreOptions) throws -> StoreError? {
    let status = try root.status()
    if kind == .system, status.mode & 0o022 == 0, status.owner != FileStatus.currentUser {
      return nil
    }
    do {
      _ = try StoreKind(of: status, options, at: path)
      return nil
    } catch {
      return error
    }
  }
}
