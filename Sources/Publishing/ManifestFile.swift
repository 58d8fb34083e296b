import Glibc
package import Manifests
import SystemFiles

/// A manifest on disk: the path, the bytes as they were read, and the envelope in them.
package struct ManifestFile: Sendable {
  /// What writing a manifest came to.
  package enum Outcome: Hashable, Sendable {
    case written
    /// The same release stands there already, with its signatures, which stay.
    case alreadyThere(signatures: Int)
  }

  /// Manifests are for everybody to read.
  private static let mode: UInt32 = 0o644

  package let path: String
  package let bytes: [UInt8]
  package let envelope: Envelope

  /// Reads the manifest at `path`, which may be a link or a pipe.
  ///
  /// - Throws: ``PublishingError/nothingThere(_:)``, ``PublishingError/noManifest(_:_:)`` or `SystemError`.
  package init(reading path: String) throws {
    try self.init(path: path, bytes: Self.bytes(at: path))
  }

  private init(path: String, bytes: [UInt8]) throws(PublishingError) {
    self.path = path
    self.bytes = bytes
    do { envelope = try Envelope(parsing: bytes) } catch { throw .noManifest(path, error) }
  }

  /// Reads what the manifest says; throws ``PublishingError/noManifest(_:_:)`` for another payload.
  package func release() throws(PublishingError) -> Release {
    do { return try envelope.release() } catch { throw .noManifest(path, error) }
  }

  /// Reads the bytes at `path`; what is longer than any envelope is no manifest.
  package static func bytes(at path: String) throws -> [UInt8] {
    do {
      return try OpenFile(reading: path).readAll(limit: Envelope.maximumSize)
    } catch let error where error.isNotFound {
      throw PublishingError.nothingThere(path)
    } catch let error where error.isTooLarge {
      throw PublishingError.noManifest(path, Envelope.tooLarge)
    } catch {
      throw SystemError(error.call, code: error.code, path: path)
    }
  }

  /// Replaces the file so that readers, and a crash, see the old manifest or `envelope`.
  ///
  /// - Throws: ``PublishingError/manifestChanged(_:)`` if the file is not the one any more that was read, and
  ///   `SystemError`, with `ELOOP` for a link.
  package func replace(with envelope: Envelope) throws {
    let (parent, name) = splitPath(path)
    let folder = try Folder(path: parent)
    // Of two who sign at once, the second finds the bytes of the first and not those that it read.
    try folder.lock()
    let file = try folder.openFile(name)
    guard try file.status().size == bytes.count, try file.readAll(limit: bytes.count) == bytes
    else {
      throw PublishingError.manifestChanged(path)
    }
    let mode = try file.status().mode & 0o777
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: envelope.encode(), mode: mode)
  }

  /// Writes `envelope` where nothing stands yet, in a folder that is there.
  ///
  /// - Throws: ``PublishingError/manifestChanged(_:)`` if something stands there by now, and `SystemError`.
  package static func create(_ envelope: Envelope, at path: String) throws {
    let (parent, name) = splitPath(path)
    let folder = try Folder(path: parent)
    try folder.lock()
    guard try folder.status(of: name) == nil else { throw PublishingError.manifestChanged(path) }
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: envelope.encode(), mode: mode)
  }

  /// Writes a new manifest, making the folders on the way.
  ///
  /// An unsigned manifest is replaced. A signed one stays if it has the same payload, and refuses another.
  /// - Throws: ``PublishingError/signedManifestThere(_:signatures:)``, ``PublishingError/otherFileThere(_:)`` for
  ///   what is no manifest, and `SystemError`.
  package static func write(_ envelope: Envelope, to path: String) throws -> Outcome {
    let (parent, name) = splitPath(path)
    let folder = try Folder(creating: parent, mode: 0o755)
    try folder.lock()
    if try folder.status(of: name) != nil {
      let there = try existing(name, in: folder, at: path)
      if !there.signatures.isEmpty {
        guard there.payload == envelope.payload, there.isStatement else {
          throw PublishingError.signedManifestThere(path, signatures: there.signatures.count)
        }
        return .alreadyThere(signatures: there.signatures.count)
      }
    }
    try folder.removeLeftovers(of: name)
    try folder.replaceFile(name, with: envelope.encode(), mode: mode)
    return .written
  }

  private static func existing(
    _ name: String,
    in folder: borrowing Folder,
    at path: String
  ) throws -> Envelope {
    do {
      return try Envelope(parsing: folder.openFile(name).readAll(limit: Envelope.maximumSize))
    } catch let error as SystemError {
      guard error.isEscape || error.code == EINVAL || error.code == EFBIG else { throw error }
      throw PublishingError.otherFileThere(path)
    } catch {
      throw PublishingError.otherFileThere(path)
    }
  }
}
