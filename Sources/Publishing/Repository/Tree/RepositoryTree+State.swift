package import Manifests
import Trust

extension RepositoryTree {
  /// Reads all that is published, and judges it as a client does who started with the first root.
  ///
  /// What has expired is no refusal here: to renew it is what publishers are for.
  /// - Throws: ``RepositoryProblem``, `SystemError`.
  package func state(at now: Timestamp) throws -> RepositoryState {
    try RepositoryState(at: now) { path, limit in try read(path, limit: limit) }
  }
}

extension RepositoryState {
  /// Reads the file at a path of the tree, of which more than so many bytes are never needed; nil if there is none.
  package typealias Reading = (_ path: String, _ limit: Int) throws -> [UInt8]?

  /// Reads all that is published, and judges it as a client does who started with the first root, or a later one.
  ///
  /// What has expired is no refusal here.
  /// - Parameters:
  ///   - now: The time.
  ///   - pin: The root to start from; the first one of the tree unless given.
  ///   - read: Where the files are.
  /// - Throws: ``RepositoryProblem``, and what `read` throws.
  package init(at now: Timestamp, pin: [UInt8]? = nil, reading read: Reading) throws {
    let limits = MetadataLimits.standard
    let trusted = try Self.judged(at: now, pin, read)
    let targets = trusted.targets
    self.init(
      root: trusted.root,
      timestamp: trusted.timestamp,
      snapshot: trusted.snapshot,
      targets: targets,
      bins: try Self.bins(trusted, limits, read),
      policy: try Self.policy(targets, read),
      withdrawn: try Self.withdrawn(targets, read)
    )
  }

  private static func judged(
    at now: Timestamp,
    _ pin: [UInt8]?,
    _ read: Reading
  ) throws -> TrustedMetadata {
    let roots = try roots(from: pin, read)
    guard let first = roots.first, let last = roots.last else {
      throw RepositoryProblem.missing(RepositoryLayout.metadata(.root, 1))
    }
    let newest = last.version
    try requireNoNewerCopy(than: newest, read)
    let timestamp = try metadata(.timestamp, 0, MetadataLimits.standard.timestamp, read)
    var asked = RepositoryLayout.metadata(.timestamp, 0)
    do {
      let facts = try SignedTimestamp(
        parsing: timestamp,
        as: .timestamp,
        limit: MetadataLimits.standard.timestamp
      ).contents.snapshot
      asked = RepositoryLayout.metadata(.snapshot, facts.version)
      let snapshot = try metadata(
        .snapshot,
        facts.version,
        MetadataLimits.standard.snapshot,
        read
      )
      let files = try SignedSnapshot(
        parsing: snapshot,
        as: .snapshot,
        limit: MetadataLimits.standard.snapshot
      ).contents.files
      let version = files[.targets]?.version ?? 0
      asked = RepositoryLayout.metadata(.targets, version)
      let targets = try metadata(.targets, version, MetadataLimits.standard.targets, read)
      let trusted = try TrustedMetadata(
        offline: StoredMetadata(
          pin: first.bytes,
          chain: roots.dropFirst().map(\.bytes),
          timestamp: timestamp,
          snapshot: snapshot,
          targets: targets
        ),
        ignoringExpiry: true,
        now: now
      )
      try requireNewest(trusted.root, of: newest)
      return trusted
    } catch let error as MetadataRefusal {
      let file = error.role == .root ? RepositoryLayout.metadata(.root, newest) : asked
      throw RepositoryProblem.refused(error, file: file)
    }
  }

  /// The root to start from, and those that are there under the numbers after it; that each follows is judged later.
  ///
  /// A tree has an end. A server may answer for ever, so that of one no more are asked for than clients take.
  private static func roots(from pin: [UInt8]?, _ read: Reading) throws -> [SignedRoot] {
    var roots = try pin.map { [try pinned($0)] } ?? []
    let limit = MetadataLimits.standard.newRoots
    while true {
      let (next, overflows) = (roots.last?.version ?? 0).addingReportingOverflow(1)
      guard !overflows, let root = try root(next, read) else { return roots }
      guard pin == nil || roots.count <= limit else {
        throw RepositoryProblem.tooManyRoots(limit: limit)
      }
      roots.append(root)
    }
  }

  /// Reads the root of this number, which it must have; nil if there is none.
  private static func root(_ version: Int, _ read: Reading) throws -> SignedRoot? {
    let place = RepositoryLayout.metadata(.root, version)
    let limit = MetadataLimits.standard.root
    guard let bytes = try read(place, limit) else { return nil }
    do throws(MetadataRefusal) {
      let root = try SignedRoot(parsing: bytes, as: .root, limit: limit)
      guard root.version == version else {
        throw MetadataRefusal(
          section: "5.3.5",
          role: .root,
          .wrongVersion(found: root.version, expected: version)
        )
      }
      return root
    } catch {
      throw RepositoryProblem.refused(error, file: place)
    }
  }

  /// Refuses a tree whose newest numbered root was lost, of which there is a copy.
  private static func requireNoNewerCopy(than count: Int, _ read: Reading) throws {
    let limit = MetadataLimits.standard.root
    guard let copy = try read(RepositoryLayout.newestRoot, limit),
      let root = try? SignedRoot(parsing: copy, as: .root, limit: limit), root.version > count
    else { return }
    throw RepositoryProblem.missing(RepositoryLayout.metadata(.root, count + 1))
  }

  /// Refuses a root that does not follow the one before it, which clients refuse as well.
  private static func requireNewest(_ root: SignedRoot, of count: Int) throws(RepositoryProblem) {
    guard root.version != count else { return }
    throw .refused(
      MetadataRefusal(
        section: "5.3.5",
        role: .root,
        .wrongVersion(found: count, expected: root.version)
      ),
      file: RepositoryLayout.metadata(.root, root.version + 1)
    )
  }

  /// Reads a root that somebody pins.
  private static func pinned(_ pin: [UInt8]) throws(RepositoryProblem) -> SignedRoot {
    do { return try RootRule.acceptPin(pin) } catch {
      throw .refused(error, file: "the pinned root")
    }
  }

  private static func metadata(
    _ role: RoleName,
    _ version: Int,
    _ limit: Int,
    _ read: Reading
  ) throws -> [UInt8] {
    let place = RepositoryLayout.metadata(role, version)
    guard let bytes = try read(place, limit) else { throw RepositoryProblem.missing(place) }
    return bytes
  }

  private static func bins(
    _ trusted: TrustedMetadata,
    _ limits: MetadataLimits,
    _ read: Reading
  ) throws -> [RoleName: SignedTargets] {
    guard let delegations = trusted.targets.contents.delegations,
      case .succinct(let roles) = delegations.form
    else { return [:] }
    var bins: [RoleName: SignedTargets] = [:]
    for name in roles.roleNames {
      guard let facts = trusted.snapshot.contents.files[name] else {
        throw RepositoryProblem.missing(name.text)
      }
      let place = RepositoryLayout.metadata(name, facts.version)
      let bytes = try metadata(name, facts.version, limits.targets, read)
      do {
        let rule = try TargetsRule(
          role: name,
          keys: roles.keys,
          table: delegations.keys,
          snapshot: trusted.snapshot.contents,
          now: trusted.comparedTime
        )
        bins[name] = try rule.accept(bytes)
      } catch {
        throw RepositoryProblem.refused(error, file: place)
      }
    }
    return bins
  }

  private static func policy(_ targets: SignedTargets, _ read: Reading) throws -> Envelope? {
    guard let path = TargetPath(RepositoryPath.policy),
      let file = targets.contents.targets[path]
    else { return nil }
    do { return try Envelope(parsing: try document(path, file, reading: read)) } catch let error
      as ManifestError
    {
      throw RepositoryProblem.badPolicyEnvelope(error)
    }
  }

  private static func withdrawn(_ targets: SignedTargets, _ read: Reading) throws
    -> WithdrawnReleases
  {
    guard let path = TargetPath(RepositoryPath.withdrawn),
      let file = targets.contents.targets[path]
    else { return WithdrawnReleases() }
    do {
      return try WithdrawnReleases(parsing: try document(path, file, reading: read))
    } catch let error as RepositoryError {
      throw RepositoryProblem.badDocument(path.text, error)
    }
  }

  /// Reads a target that the metadata lists.
  ///
  /// - Throws: ``RepositoryProblem/missing(_:)``, ``RepositoryProblem/refused(_:file:)`` for other bytes, and what `read` throws.
  static func document(
    _ path: TargetPath,
    _ file: TargetFile,
    reading read: Reading
  ) throws -> [UInt8] {
    guard let digest = file.hashes.sha256 else { throw RepositoryProblem.missing(path.text) }
    let place = try RepositoryTree.path(path, digest)
    guard let bytes = try read(place, file.length) else { throw RepositoryProblem.missing(place) }
    do { try file.check(bytes, path: path) } catch {
      throw RepositoryProblem.refused(error, file: place)
    }
    return bytes
  }
}
