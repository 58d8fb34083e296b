package import Manifests
import SystemFiles
import Trust

extension RepositoryTree {
  /// Reads all that is published, and judges it as a client does who started with the first root.
  ///
  /// What has expired is no refusal here: to renew it is what publishers are for.
  /// - Throws: ``RepositoryProblem``, `SystemError`.
  package func state(at now: Timestamp) throws -> RepositoryState {
    let limits = MetadataLimits.standard
    let trusted = try judged(at: now)
    let targets = trusted.targets
    return RepositoryState(
      root: trusted.root,
      timestamp: trusted.timestamp,
      snapshot: trusted.snapshot,
      targets: targets,
      bins: try bins(trusted, limits),
      policy: try policy(targets),
      withdrawn: try withdrawn(targets)
    )
  }

  private func judged(at now: Timestamp) throws -> TrustedMetadata {
    var roots: [[UInt8]] = []
    while let root = try read(
      RepositoryLayout.metadata(.root, roots.count + 1),
      limit: MetadataLimits.standard.root
    ) {
      roots.append(root)
    }
    guard let pin = roots.first else { throw RepositoryProblem.notThere(path) }
    let timestamp = try metadata(.timestamp, 0, limit: MetadataLimits.standard.timestamp)
    do {
      let facts = try SignedTimestamp(
        parsing: timestamp,
        as: .timestamp,
        limit: MetadataLimits.standard.timestamp
      ).contents.snapshot
      let snapshot = try metadata(.snapshot, facts.version, limit: MetadataLimits.standard.snapshot)
      let files = try SignedSnapshot(
        parsing: snapshot,
        as: .snapshot,
        limit: MetadataLimits.standard.snapshot
      ).contents.files
      let version = files[.targets]?.version ?? 0
      let targets = try metadata(.targets, version, limit: MetadataLimits.standard.targets)
      let trusted = try TrustedMetadata(
        offline: StoredMetadata(
          pin: pin,
          chain: Array(roots.dropFirst()),
          timestamp: timestamp,
          snapshot: snapshot,
          targets: targets
        ),
        ignoringExpiry: true,
        now: now
      )
      try Self.requireNewest(trusted.root, of: roots.count)
      return trusted
    } catch let error as MetadataRefusal {
      throw RepositoryProblem.refused(error, file: "metadata")
    }
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

  private func metadata(_ role: RoleName, _ version: Int, limit: Int) throws -> [UInt8] {
    let place = RepositoryLayout.metadata(role, version)
    guard let bytes = try read(place, limit: limit) else { throw RepositoryProblem.missing(place) }
    return bytes
  }

  private func bins(
    _ trusted: TrustedMetadata,
    _ limits: MetadataLimits
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
      let bytes = try metadata(name, facts.version, limit: limits.targets)
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

  private func policy(_ targets: SignedTargets) throws -> Envelope? {
    guard let path = TargetPath(RepositoryPath.policy),
      let file = targets.contents.targets[path]
    else { return nil }
    do { return try Envelope(parsing: try document(path, file)) } catch let error as ManifestError {
      throw RepositoryProblem.badPolicyEnvelope(error)
    }
  }

  private func withdrawn(_ targets: SignedTargets) throws -> WithdrawnReleases {
    guard let path = TargetPath(RepositoryPath.withdrawn),
      let file = targets.contents.targets[path]
    else { return WithdrawnReleases() }
    do {
      return try WithdrawnReleases(parsing: try document(path, file))
    } catch let error as RepositoryError {
      throw RepositoryProblem.badDocument(path.text, error)
    }
  }
}
