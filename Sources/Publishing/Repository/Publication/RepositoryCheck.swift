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
    /// The copy of the newest root is not there, or is another.
    case otherNewestRoot(String)
  }

  /// How blobs are looked at.
  package enum BlobDepth: Hashable, Sendable {
    /// Each that no mirror elsewhere has must be there, in its size.
    case sizes
    /// As ``sizes``, and those that are there must have the right bytes.
    case hashes
    /// As ``sizes``, and every mirror that is named has the blobs.
    case elsewhere
  }

  package private(set) var findings: [Finding] = []
  package private(set) var releases = 0
  package private(set) var blobs = 0

  /// Checks the tree as it lies on disk, from its first root.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - state: What its metadata says, which has been judged.
  ///   - depth: How blobs are looked at.
  ///   - now: The time at which manifests must not have expired.
  /// - Throws: `SystemError`, `CancellationError`.
  package init(
    _ tree: borrowing RepositoryTree,
    _ state: RepositoryState,
    blobs depth: BlobDepth,
    at now: Timestamp
  ) throws {
    let limit = MetadataLimits.standard.root
    try self.init(
      state,
      at: now,
      copy: tree.read(RepositoryLayout.newestRoot, limit: limit),
      document: { try tree.document($0, $1) },
      blobs: { release, check in try check.checkBlobs(of: release, tree, depth) }
    )
  }

  /// Checks what is served, without the blobs.
  ///
  /// - Parameters:
  ///   - state: What the metadata says, which has been judged.
  ///   - now: The time at which manifests must not have expired.
  ///   - read: Where the files are.
  /// - Throws: What `read` throws, and `CancellationError`.
  package init(
    _ state: RepositoryState,
    at now: Timestamp,
    reading read: RepositoryState.Reading
  ) throws {
    try self.init(
      state,
      at: now,
      copy: read(RepositoryLayout.newestRoot, MetadataLimits.standard.root),
      document: { try RepositoryState.document($0, $1, reading: read) },
      blobs: { _, _ in }
    )
  }

  private init(
    _ state: RepositoryState,
    at now: Timestamp,
    copy: [UInt8]?,
    document: (TargetPath, TargetFile) throws -> [UInt8],
    blobs checkBlobs: (Release, inout RepositoryCheck) throws -> Void
  ) throws {
    if copy != state.root.bytes { findings.append(.otherNewestRoot(RepositoryLayout.newestRoot)) }
    let policy = checkPolicy(state)
    for role in [state.targets.contents] + state.bins.values.map(\.contents) {
      for (path, file) in role.targets.sorted(by: { $0.key.text < $1.key.text }) {
        try Task.checkCancellation()
        let bytes: [UInt8]
        do { bytes = try document(path, file) } catch is RepositoryProblem {
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
        try checkBlobs(release, &self)
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
    _ depth: BlobDepth
  ) throws {
    for file in release.files {
      let state = try tree.blobState(of: file, isRead: depth == .hashes)
      if state != .absent { blobs += 1 }
      switch state {
      case .right: break
      case .wrong: findings.append(.wrongBlob(file.path, release.model, release.version))
      case .absent:
        // A publisher may serve the files from elsewhere alone.
        let isElsewhere =
          depth == .elsewhere
          ? !(release.mirrors + file.mirrors).isEmpty : !release.isServedHere(file)
        if !isElsewhere {
          findings.append(.missingBlob(file.path, release.model, release.version))
        }
      }
    }
  }
}
