import Glibc
package import Manifests
import StrictJSON
import SystemFiles

/// The directory in which a client keeps models.
///
/// `StoreLayout` draws it.
///
/// Everything inside is reached through the one descriptor of its root, so the store may be moved as a whole.
package struct Store: ~Copyable, Sendable {
  /// The path as the user gave it, for messages and for printing paths.
  package let path: String
  let root: Folder

  /// Opens a store for changing it, making it where it is missing.
  ///
  /// Refuses a folder that holds something else, that others can write, or that belongs to somebody else.
  /// - Parameter path: The folder; links on the way to it are followed once.
  /// - Throws: ``StoreError`` or `SystemError`.
  package init(changing path: String) throws {
    let root = try Folder(creating: path, mode: StoreLayout.privateFolder)
    let store = Store(path: path, root: root)
    try store.checkOwnership()
    if try !store.hasCurrentFormat() { try store.writeFormat() }
    self = store
  }

  /// Opens a store for reading only; nil where there is none.
  ///
  /// Writes nothing and takes no lock, so it works on a read-only medium and for other users.
  package static func open(reading path: String) throws -> Store? {
    guard try Folder.exists(path) else { return nil }
    let store = Store(path: path, root: try Folder(path: path))
    _ = try store.hasCurrentFormat()
    return store
  }

  private init(path: String, root: consuming Folder) {
    self.path = path
    self.root = root
  }

  /// The models that have anything in the store, in the order of their names.
  package func modelNames() throws -> [ModelName] {
    guard try root.status(of: StoreLayout.models) != nil else { return [] }
    return try root.openFolder(StoreLayout.models).entries()
      .filter { $0.kind == .folder }
      .compactMap { try? ModelName(folderName: $0.name) }
      .sorted()
  }

  private func checkOwnership() throws {
    let status = try root.status()
    guard status.owner == geteuid(), status.mode & 0o022 == 0 else {
      throw StoreError.unsafeOwnership(path: path, owner: status.owner, mode: status.mode)
    }
  }

  /// Whether the store file is there and of this format.
  ///
  /// An empty or damaged one in a store is made anew.
  private func hasCurrentFormat() throws -> Bool {
    let bytes = try root.readFile(StoreLayout.storeFile, limit: StoreLayout.recordLimit)
    guard let bytes, let value = try? JSONReader.parse(bytes), case .object(let object) = value,
      case .string(let format)? = object["format"]
    else {
      try refuseForeignFolder()
      return false
    }
    guard format.utf8.elementsEqual(StoreLayout.format.utf8) else {
      throw StoreError.notAStore(path: path, found: format)
    }
    return true
  }

  /// Only an empty folder, or one that looks like a store, becomes a store.
  private func refuseForeignFolder() throws {
    let known = [StoreLayout.models, StoreLayout.floors, StoreLayout.storeFile]
    guard
      let other = try root.entries().first(where: {
        !known.contains($0.name) && !StoreLayout.isTemporary($0.name, of: StoreLayout.storeFile)
      })
    else { return }
    throw StoreError.notAStore(path: path, found: other.name)
  }

  /// Makes this a store, and takes away what processes have left that were killed while they did.
  ///
  /// Of several that do so at once, one may take the temporary file of another that lives: then a store is there.
  private func writeFormat() throws {
    do {
      try replaceFormat()
    } catch {
      guard error.isMissing, try hasCurrentFormat() else { throw error }
    }
    for entry in try root.entries()
    where StoreLayout.isTemporary(entry.name, of: StoreLayout.storeFile) && entry.kind == .file {
      try root.removeFile(entry.name)
    }
  }

  private func replaceFormat() throws(SystemError) {
    let document: JSONValue = ["format": .string(StoreLayout.format)]
    try root.replaceFile(
      StoreLayout.storeFile,
      with: JSONWriter.pretty(document),
      mode: StoreLayout.privateFile
    )
  }
}
