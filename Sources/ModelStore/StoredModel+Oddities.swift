package import Manifests
import SystemFiles

/// What is odd about a file of a version besides its bytes.
package enum FileOddity: Hashable, Sendable {
  case mode(found: UInt32, expected: UInt32)
  /// It has this many names, so that who writes to another one changes the version.
  case secondName(count: Int)
}

extension StoredModel {
  /// What is odd about the files of a version, by their places in the release; opens them and reads no byte.
  ///
  /// What cannot be opened is no matter of this look.
  package func oddities(
    of name: VersionName,
    _ release: Release
  ) throws -> [(index: Int, oddity: FileOddity)] {
    guard let files = try files(of: name) else { return [] }
    var found: [(index: Int, oddity: FileOddity)] = []
    for (index, path) in release.paths.enumerated() {
      guard let status = try Self.status(of: path.text, in: files) else { continue }
      if status.linkCount > 1 { found.append((index, .secondName(count: status.linkCount))) }
      guard status.mode != kind.publishedFile else { continue }
      found.append((index, .mode(found: status.mode, expected: kind.publishedFile)))
    }
    return found
  }

  /// What the file system says of a file that can be opened.
  private static func status(
    of path: String,
    in files: borrowing Folder
  ) throws(SystemError) -> FileStatus? {
    do {
      return try files.openFile(path).status()
    } catch {
      guard error.isAboutFile else { throw error }
      return nil
    }
  }

  /// The envelopes that may be the manifest of a version: the one beside its files, then the one that is kept for
  /// backups.
  ///
  /// Each is of the payload after which the version is named. Throws `noSuchVersion`, or `damagedVersion` if there is
  /// none.
  package func manifests(of name: VersionName) throws -> [[UInt8]] {
    guard try versionNames().contains(name) else {
      throw StoreError.noSuchVersion(self.name, name.version)
    }
    let kept = try keptManifest(of: name).flatMap { Self.manifest($0, of: name) }
    let found = [try ownManifest(of: name), kept].compactMap { $0 }
    guard !found.isEmpty else { throw StoreError.damagedVersion(name) }
    return found
  }

  /// The manifest that lies with a version, if it is that version's.
  func ownManifest(of name: VersionName) throws -> [UInt8]? {
    let place = "\(StoreLayout.versions)/\(name.text)/\(StoreLayout.manifest)"
    return try folder.readRecord(place, limit: Envelope.maximumSize).flatMap {
      Self.manifest($0, of: name)
    }
  }

  /// The envelope if it is that of the version.
  private static func manifest(_ bytes: [UInt8], of name: VersionName) -> [UInt8]? {
    guard let envelope = try? Envelope(parsing: bytes), name.belongs(to: envelope.payloadDigest)
    else { return nil }
    return bytes
  }
}
