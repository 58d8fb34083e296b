import StrictJSON
import SystemFiles

/// The contents of `STORE.json`: that this is a store, of which format, and what its owner wants.
///
/// It can be made anew from nothing but that wish.
struct StoreFormat: Equatable {
  /// Whether the bytes of models are to be in backups.
  var isInBackups = false

  init() {}

  /// Reads the store file; nil for one that is missing, empty or damaged in what else looks like a store.
  ///
  /// Throws ``StoreError/notAStore(path:found:)`` for another format and for a folder with something else in it.
  init?(of root: borrowing Folder, at path: String) throws {
    let bytes = try root.readRecord(StoreLayout.storeFile, limit: StoreLayout.recordLimit)
    guard let bytes, let value = try? JSONReader.parse(bytes), case .object(let object) = value,
      case .string(let format)? = object["format"]
    else {
      try Self.refuseForeignFolder(root, at: path)
      return nil
    }
    guard format.utf8.elementsEqual(StoreLayout.format.utf8) else {
      throw StoreError.notAStore(path: path, found: format)
    }
    if case .boolean(true)? = object["inBackups"] { isInBackups = true }
  }

  /// Only an empty folder, or one that looks like a store, becomes a store.
  private static func refuseForeignFolder(_ root: borrowing Folder, at path: String) throws {
    let known = [
      StoreLayout.models, StoreLayout.floors, StoreLayout.repositories, StoreLayout.storeFile,
      StoreLayout.storeLock,
    ]
    guard
      let other = try root.entries().first(where: {
        !known.contains($0.name) && !StoreLayout.isTemporary($0.name, of: StoreLayout.storeFile)
      })
    else { return }
    throw StoreError.notAStore(path: path, found: other.name)
  }

  /// Makes the folder a store, and takes away what processes have left that were killed while they did.
  ///
  /// Of several that do so at once, one may take the temporary file of another that lives: then a store is there.
  func write(to root: borrowing Folder, _ kind: StoreKind, at path: String) throws {
    do {
      try root.replaceRecord(StoreLayout.storeFile, with: bytes, mode: kind.stateFile)
    } catch {
      guard error.isMissing, try StoreFormat(of: root, at: path) != nil else { throw error }
    }
    for entry in try root.entries()
    where StoreLayout.isTemporary(entry.name, of: StoreLayout.storeFile) && entry.kind == .file {
      try root.removeFile(entry.name)
    }
  }

  private var bytes: [UInt8] {
    var object: JSONObject = ["format": .string(StoreLayout.format)]
    if isInBackups { object["inBackups"] = .boolean(true) }
    return JSONWriter.pretty(.object(object))
  }
}
