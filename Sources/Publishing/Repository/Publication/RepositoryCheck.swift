import Digests
package import Manifests
import SystemFiles
package import Trust

/// Whether a tree serves what its metadata promises: every target, every manifest by the policy, every blob.
package struct RepositoryCheck: Sendable {
  /// Something that a client of the tree would stumble over.
  package enum Finding: Equatable, Sendable {
    /// The target is missing, or has other bytes.
    case badTarget(String)
    /// What stands at the path of a release is no manifest, or one of another release.
    case otherManifest(ModelName, Version)
    /// The policy of the repository does not accept the manifest.
    case untrusted(ModelName, Version, TrustError)
    case noPolicy
    /// Fewer root keys have signed the policy than clients demand.
    case unsignedPolicy(found: Int, threshold: Int)
    case missingBlob(RelativePath, ModelName, Version)
    case wrongBlob(RelativePath, ModelName, Version)
  }

  package private(set) var findings: [Finding] = []
  package private(set) var releases = 0
  package private(set) var blobs = 0

  /// Checks the tree as it lies on disk, from its first root.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - state: What its metadata says, which has been judged.
  ///   - readsBlobs: Whether blobs are hashed, or only looked at for their size.
  ///   - now: The time at which manifests must not have expired.
  /// - Throws: `SystemError`, `CancellationError`.
  package init(
    _ tree: borrowing RepositoryTree,
    _ state: RepositoryState,
    readsBlobs: Bool,
    at now: Timestamp
  ) throws {
    let policy = checkPolicy(state)
    for role in [state.targets.contents] + state.bins.values.map(\.contents) {
      for (path, file) in role.targets.sorted(by: { $0.key.text < $1.key.text }) {
        try Task.checkCancellation()
        let bytes: [UInt8]
        do { bytes = try tree.document(path, file) } catch is RepositoryProblem {
          findings.append(.badTarget(path.text))
          continue
        }
        guard let (model, version) = RepositoryPath.release(at: path.text) else { continue }
        releases += 1
        guard let release = try? Envelope(parsing: bytes).release(), release.model == model,
          release.version == version, Self.agrees(path, file, release)
        else {
          findings.append(.otherManifest(model, version))
          continue
        }
        if let policy {
          do { _ = try policy.accept(bytes, at: now) } catch {
            findings.append(.untrusted(model, version, error))
          }
        }
        try checkBlobs(of: release, tree, readsBlobs)
      }
    }
  }

  private static func agrees(_ path: TargetPath, _ file: TargetFile, _ release: Release) -> Bool {
    guard let entry = try? ReleaseEntry(path: path.text, custom: file.custom)
    else { return false }
    return entry == ReleaseEntry(release, channels: entry.channels)
  }

  private mutating func checkPolicy(_ state: RepositoryState) -> TrustPolicy? {
    do {
      if let policy = try state.signedPolicy { return policy.policy }
      findings.append(.noPolicy)
    } catch .unsignedPolicy(let found, let threshold) {
      findings.append(.unsignedPolicy(found: found, threshold: threshold))
    } catch {
      findings.append(.noPolicy)
    }
    return nil
  }

  private mutating func checkBlobs(
    of release: Release,
    _ tree: borrowing RepositoryTree,
    _ readsBlobs: Bool
  ) throws {
    for file in release.files {
      let place = RepositoryLayout.blobs + "/" + file.sha256.hex
      guard let status = try tree.folder.status(of: place) else {
        // A publisher may serve the files from elsewhere alone.
        if release.mirrors.isEmpty, file.mirrors.isEmpty {
          findings.append(.missingBlob(file.path, release.model, release.version))
        }
        continue
      }
      blobs += 1
      let isRight =
        try status.size == file.size
        && (!readsBlobs || Self.digest(of: place, in: tree.folder) == file.sha256)
      if !isRight { findings.append(.wrongBlob(file.path, release.model, release.version)) }
    }
  }

  private static func digest(
    of name: String,
    in folder: borrowing Folder
  ) throws -> SHA256Digest {
    try SHA256Digest(reading: folder.openFile(name)) { _ in !Task.isCancelled }
  }
}
