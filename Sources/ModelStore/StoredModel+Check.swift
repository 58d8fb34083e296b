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
    if !isFull, let stamp, stamp.manifest == accepted.digest,
      try StampLook(at: accepted.release.paths, in: files) == .whole(stamp.facts)
    {
      if isKept { try keepManifest(of: accepted, in: name) }
      return .verified(VerifiedVersion(name: name, accepted: accepted))
    }
    if isKept { try withStateLock { try restoreModes(of: name, accepted.release.paths) } }
    let before = try StampLook(at: accepted.release.paths, in: files)
    let found = try ReleaseCheck(accepted.release).findings(in: files, report: report)
    let findings = try Self.damage(found, before)
    guard findings.isEmpty, case .whole(let facts) = before else { return .damaged(name, findings) }
    guard try StampLook(at: accepted.release.paths, in: files) == before else {
      throw StoreError.changedWhileRead(name)
    }
    guard isKept else { return .verified(VerifiedVersion(name: name, accepted: accepted)) }
    let renewed = Stamp(
      manifest: accepted.digest,
      acceptedAt: stamp?.acceptedAt ?? now,
      facts: facts
    )
    if renewed != stamp { try withStateLock { try writeStamp(renewed, of: name) } }
    try keepManifest(of: accepted, in: name)
    return .verified(VerifiedVersion(name: name, accepted: accepted))
  }

  /// What is wrong with a version for sure.
  ///
  /// Throws where it is not known, as without a descriptor or memory: that is no word about the version.
  private static func damage(
    _ findings: [FileFinding],
    _ look: StampLook
  ) throws(SystemError) -> [FileFinding] {
    for finding in findings {
      if case .unreadable(let error) = finding.problem, !error.isAboutFile { throw error }
    }
    if findings.isEmpty, case .missing(let path) = look {
      // Its bytes are right, and lie on a file system of their own.
      return [FileFinding(path: path.text, problem: .notAFile(.other))]
    }
    return findings
  }

  /// Puts the envelope that was accepted now in the place of a damaged one, or of one with other signatures.
  ///
  /// The payload is the same, since the version is named by its digest. A process that is killed meanwhile leaves a
  /// folder that can be written, which the next one puts right.
  private func keepManifest(of accepted: AcceptedManifest, in name: VersionName) throws {
    let version = try folder.openFolder("\(StoreLayout.versions)/\(name.text)")
    let found = try version.readRecord(StoreLayout.manifest, limit: Envelope.maximumSize)
    if found != accepted.envelopeBytes {
      try withStateLock { try replaceManifest(in: version, with: accepted.envelopeBytes) }
    }
    guard try keptManifest(of: name) != accepted.envelopeBytes else { return }
    try withStateLock { try keepManifestForBackups(accepted.envelopeBytes, of: name) }
  }

  private func replaceManifest(in version: borrowing Folder, with envelope: [UInt8]) throws {
    let isReadOnly = kind.publishedFolder & 0o200 == 0
    if isReadOnly { try version.setMode(kind.workFolder) }
    do {
      try version.replaceRecord(StoreLayout.manifest, with: envelope, mode: kind.publishedFile)
    } catch {
      if isReadOnly { try? version.setMode(kind.publishedFolder) }
      throw error
    }
    if isReadOnly { try version.setMode(kind.publishedFolder) }
  }

  /// The envelope where backups find it; nil if there is none that can be read.
  func keptManifest(of name: VersionName) throws -> [UInt8]? {
    let place = "\(StoreLayout.manifests)/\(name.text).json"
    return try folder.readRecord(place, limit: Envelope.maximumSize)
  }

  /// Writes the envelope where backups find it, since they may pass over the versions; the caller holds the state lock.
  func keepManifestForBackups(_ envelope: [UInt8], of name: VersionName) throws {
    try folder.openFolder(StoreLayout.manifests)
      .replaceRecord("\(name.text).json", with: envelope, mode: kind.stateFile)
  }

  /// The folder with the files of a version; nil if the version has none.
  func files(of name: VersionName) throws(SystemError) -> Folder? {
    try folder.openFolderProper("\(StoreLayout.versions)/\(name.text)/\(StoreLayout.files)")
  }
}
