import Digests
package import Manifests
import Signatures
import StrictJSON
package import Trust

/// A change of a repository on its way: the next versions of some roles, and the signatures that they have so far.
///
/// A value without file and clock. The parts are made one after the other, since each names the bytes of those before it:
/// root and policy, then targets and bins, then snapshot, then timestamp. ``advance(at:)`` makes what can be made.
package struct RepositoryDraft: Sendable {
  /// A document that is a target.
  package struct Document: Hashable, Sendable {
    package let path: TargetPath
    package let bytes: [UInt8]
  }

  /// What the repository says now; nil for one that is being made.
  package let base: RepositoryState?
  package internal(set) var root: SignedRoot?
  /// The trust policy in its envelope, where it is new or newly signed.
  package internal(set) var policy: Envelope?
  package internal(set) var targets: [RoleName: SignedTargets] = [:]
  package internal(set) var snapshot: SignedSnapshot?
  package internal(set) var timestamp: SignedTimestamp?
  package internal(set) var documents: [Document] = []
  /// Whether the snapshot is renewed even though nothing beneath it changes.
  package internal(set) var renewsSnapshot = false
  /// Whether old keys sign nothing more, not even for those who do not know the new ones yet.
  package internal(set) var isCompromised = false
  /// What changes, a line each, for those who sign.
  package internal(set) var summary: [String] = []
  package internal(set) var lifetimes: RoleLifetimes

  package init(base: RepositoryState?, lifetimes: RoleLifetimes = RoleLifetimes()) {
    self.base = base
    self.lifetimes = lifetimes
  }

  // MARK: What will be

  /// The root that will be trusted.
  package var nextRoot: RootMetadata? { root?.contents ?? base?.root.contents }

  /// The contents of a targets role as they will be.
  package func contents(_ role: RoleName) -> TargetsMetadata? {
    if let draft = targets[role] { return draft.contents }
    return role == .targets ? base?.targets.contents : base?.bins[role]?.contents
  }

  /// Whether the change reaches clients through nothing but a new root.
  private var isRootAlone: Bool {
    policy == nil && targets.isEmpty && !renewsSnapshot && !renewsTimestamp
  }

  /// Whether the timestamp is renewed even though nothing beneath it changes.
  package internal(set) var renewsTimestamp = false

  /// Whether nothing is to be published.
  package var isEmpty: Bool { root == nil && isRootAlone }

  /// Whether a new timestamp is all, so that nothing else is to be moved.
  package var isTimestampAlone: Bool {
    timestamp != nil && root == nil && policy == nil && targets.isEmpty && snapshot == nil
  }

  /// Drops a timestamp that follows another than is published; it is made anew when its turn comes.
  mutating func forgetTimestamp() {
    guard timestamp != nil else { return }
    timestamp = nil
    renewsTimestamp = renewsTimestamp || snapshot == nil
  }

  // MARK: Making the parts

  /// Makes every part that names only what is complete.
  package mutating func advance(at now: Timestamp) {
    guard let nextRoot, isComplete(.role(.root)), isComplete(.policy) else { return }
    listPolicy(at: now)
    guard targets.keys.allSatisfy({ isComplete(.role($0)) }) else { return }
    makeSnapshot(nextRoot, at: now)
    guard isComplete(.role(.snapshot)) else { return }
    makeTimestamp(at: now)
  }

  /// Puts the signed policy among the targets.
  private mutating func listPolicy(at now: Timestamp) {
    guard let policy, let path = TargetPath(RepositoryPath.policy) else { return }
    let bytes = policy.encode()
    let file = TargetFile(of: bytes, custom: nil)
    guard contents(.targets)?.targets[path] != file else { return }
    edit(.targets, at: now) { $0.targets[path] = file }
    documents.removeAll { $0.path == path }
    documents.append(Document(path: path, bytes: bytes))
  }

  private mutating func makeSnapshot(_ root: RootMetadata, at now: Timestamp) {
    guard snapshot == nil, !targets.isEmpty || renewsSnapshot || base == nil else { return }
    var files = base?.snapshot.contents.files ?? [:]
    for (role, draft) in targets {
      files[role] = FileFacts(version: draft.contents.header.version, of: draft.bytes)
    }
    let version = Self.next(base?.snapshot.contents.header.version ?? 0, at: now)
    snapshot = SignedSnapshot(
      SnapshotMetadata(
        header: header(.snapshot, version: version, at: now),
        files: files
      )
    )
  }

  private mutating func makeTimestamp(at now: Timestamp) {
    guard timestamp == nil, snapshot != nil || renewsTimestamp else { return }
    let version = Self.next(base?.timestamp.contents.header.version ?? 0, at: now)
    let facts: FileFacts
    if let snapshot {
      facts = FileFacts(version: snapshot.contents.header.version, of: snapshot.bytes)
    } else if let old = base?.timestamp.contents.snapshot {
      facts = old
    } else {
      return
    }
    timestamp = SignedTimestamp(
      TimestampMetadata(header: header(.timestamp, version: version, at: now), snapshot: facts)
    )
  }

  /// The number after `version`; where a thief has used up the numbers, the seconds since 1970, which no file has yet.
  ///
  /// Clients accept that only where the keys that signed the old number are replaced; the check before publication asks them.
  private static func next(_ version: Int, at now: Timestamp) -> Int {
    version < 1 << 53 - 1 ? version + 1 : max(1, Int(now.seconds))
  }

  func header(_ role: RoleName, version: Int, at now: Timestamp) -> MetadataHeader {
    MetadataHeader(version: version, expires: lifetimes.end(of: role, from: now))
  }

  /// Changes the next version of a targets role, and drops the signatures that it has.
  mutating func edit(
    _ role: RoleName,
    at now: Timestamp,
    _ change: (inout TargetsMetadata) -> Void
  ) {
    var contents =
      contents(role)
      ?? TargetsMetadata(
        header: header(role, version: 0, at: now),
        targets: [:],
        delegations: nil
      )
    let version = Self.next(publishedVersion(of: role) ?? 0, at: now)
    contents.header = header(role, version: version, at: now)
    change(&contents)
    targets[role] = SignedTargets(contents)
  }

  private func publishedVersion(of role: RoleName) -> Int? {
    role == .targets
      ? base?.targets.contents.header.version : base?.bins[role]?.contents.header.version
  }
}

extension RepositoryDraft {
  /// The versions that the change brings, bins left out.
  package var versions: [(role: RoleName, version: Int)] {
    var versions: [(RoleName, Int)] = []
    if let root { versions.append((.root, root.contents.header.version)) }
    if let targets = targets[.targets] {
      versions.append((.targets, targets.contents.header.version))
    }
    if let snapshot { versions.append((.snapshot, snapshot.contents.header.version)) }
    if let timestamp { versions.append((.timestamp, timestamp.contents.header.version)) }
    return versions
  }
}
