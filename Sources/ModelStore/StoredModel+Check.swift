package import Manifests
import SystemFiles
package import Trust
package import Verification

/// What a look at a version in the store gives.
package enum VersionCheck: Sendable {
  case verified(VerifiedVersion)
  /// These files are not as signed.
  case damaged(VersionName, [FileFinding])
  case absent
}

extension StoredModel {
  /// Says whether the version of an accepted manifest is there and right.
  ///
  /// A version that is right keeps the envelope that was accepted now. A stamp that matches what the file system says
  /// is proof enough; without one every byte is read, and the stamp written anew. Blocks the calling thread.
  /// - Parameters:
  ///   - accepted: The manifest, accepted by the trust policy of today.
  ///   - now: The time of acceptance where the stamp that knew it is lost.
  ///   - isFull: Whether every byte is read although the stamp matches.
  ///   - isKept: Whether what was found is written down: the stamp, and the envelope.
  ///   - report: Called on any thread with each count of bytes done; false stops the work.
  /// - Returns: Whether the version is there, and the proof that it is right.
  /// - Throws: `SystemError`, or `CancellationError` once `report` has said false.
  package func check(
    _ accepted: AcceptedManifest,
    now: Timestamp,
    isFull: Bool = false,
    isKept: Bool = true,
    report: @Sendable (Int) -> Bool
  ) throws -> VersionCheck {
    let name = VersionName(version: accepted.release.version, manifest: accepted.digest)
    guard try versionNames().contains(name) else { return .absent }
    guard let files = try files(of: name) else {
      return .damaged(
        name,
        accepted.release.files.map { FileFinding(path: $0.path.text, problem: .missing) }
      )
    }
    let stamp = try stamp(of: name)
    if !isFull, let stamp, try Self.matches(stamp, files, accepted) {
      if isKept { try keepManifest(of: accepted, in: name) }
      return .verified(VerifiedVersion(name: name, accepted: accepted))
    }
    let before = try Self.stampFiles(of: accepted.release, in: files)
    let findings = try ReleaseCheck(accepted.release).findings(in: files, report: report)
    guard findings.isEmpty, let before,
      try Self.stampFiles(of: accepted.release, in: files) == before
    else { return .damaged(name, findings) }
    guard isKept else { return .verified(VerifiedVersion(name: name, accepted: accepted)) }
    let renewed = Stamp(
      manifest: accepted.digest,
      acceptedAt: stamp?.acceptedAt ?? now,
      files: before
    )
    if renewed != stamp { try prove(name, by: renewed) }
    try keepManifest(of: accepted, in: name)
    return .verified(VerifiedVersion(name: name, accepted: accepted))
  }

  /// Puts the envelope that was accepted now in the place of a damaged one, or of one with other signatures.
  ///
  /// The payload is the same, since the version is named by its digest.
  private func keepManifest(of accepted: AcceptedManifest, in name: VersionName) throws {
    let version = try folder.openFolder("\(StoreLayout.versions)/\(name.text)")
    let found = try? version.readFile(StoreLayout.manifest, limit: Envelope.maximumSize)
    if found != accepted.envelopeBytes {
      try withStateLock {
        if kind.publishedFolder & 0o200 == 0 { try version.setMode(kind.workFolder) }
        try version.replaceFile(
          StoreLayout.manifest,
          with: accepted.envelopeBytes,
          mode: kind.publishedFile
        )
        if kind.publishedFolder & 0o200 == 0 { try version.setMode(kind.publishedFolder) }
      }
    }
    guard try keptManifest(of: name) != accepted.envelopeBytes else { return }
    try withStateLock { try keepManifestForBackups(accepted.envelopeBytes, of: name) }
  }

  /// The envelope where backups find it; nil if there is none that can be read.
  func keptManifest(of name: VersionName) throws -> [UInt8]? {
    let place = "\(StoreLayout.manifests)/\(name.text).json"
    return try folder.readFile(place, limit: Envelope.maximumSize)
  }

  /// Writes the envelope where backups find it, since they may pass over the versions; the caller holds the state lock.
  func keepManifestForBackups(_ envelope: [UInt8], of name: VersionName) throws {
    try folder.openFolder(StoreLayout.manifests)
      .replaceFile("\(name.text).json", with: envelope, mode: kind.stateFile)
  }

  /// Writes the stamp of a version that was read to its end.
  ///
  /// An install that was killed before its stamp has left the folders writable.
  private func prove(_ name: VersionName, by stamp: Stamp) throws {
    try withStateLock {
      try folder.openFolder("\(StoreLayout.versions)/\(name.text)")
        .setModeOfFolders(kind.publishedFolder)
      try writeStamp(stamp, of: name)
    }
  }

  /// The folder with the files of a version; nil if the version has none.
  private func files(of name: VersionName) throws -> Folder? {
    let version = try folder.openFolder("\(StoreLayout.versions)/\(name.text)")
    guard try version.status(of: StoreLayout.files)?.kind == .folder else { return nil }
    return try version.openFolder(StoreLayout.files)
  }

  /// Whether each file of the release is still the inode that was verified, unchanged.
  private static func matches(
    _ stamp: Stamp,
    _ files: borrowing Folder,
    _ accepted: AcceptedManifest
  ) throws -> Bool {
    guard stamp.manifest == accepted.digest else { return false }
    return try stampFiles(of: accepted.release, in: files) == stamp.files
  }

  /// What the file system says of each file of the release; nil if one is missing or no plain file.
  private static func stampFiles(
    of release: Release,
    in files: borrowing Folder
  ) throws -> [Stamp.File]? {
    var stamped: [Stamp.File] = []
    let device = try files.status().identity.device
    for entry in release.files {
      guard let file = try? files.openFile(entry.path.text) else { return nil }
      let status = try file.status()
      // Something else is mounted within the version.
      guard status.identity.device == device else { return nil }
      stamped.append(Stamp.File(path: entry.path, status: status))
    }
    return stamped
  }
}
