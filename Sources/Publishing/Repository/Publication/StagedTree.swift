package import Manifests
package import Trust

/// Runs the rules of our own client over a tree as it will be, from its first root.
package enum StagedTree {
  /// Checks every state through which clients will see the tree go.
  ///
  /// - Throws: ``RepositoryProblem/refused(_:file:)`` for what a client would refuse, and what `read` throws.
  static func check(
    _ draft: RepositoryDraft,
    at now: Timestamp,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws {
    if draft.isRootLast(at: now), draft.timestamp != nil {
      try refresh(draft, withRoot: false, at: now, reading: read)
    }
    try refresh(draft, withRoot: true, at: now, reading: read)
  }

  private static func files(of draft: RepositoryDraft, withRoot: Bool) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (role, file) in draft.targets {
      files[RepositoryLayout.metadata(role, file.contents.header.version)] = file.bytes
    }
    if let snapshot = draft.snapshot {
      let version = snapshot.contents.header.version
      files[RepositoryLayout.metadata(.snapshot, version)] = snapshot.bytes
    }
    if let timestamp = draft.timestamp {
      files[RepositoryLayout.metadata(.timestamp, 0)] = timestamp.bytes
    }
    if withRoot, let root = draft.root {
      files[RepositoryLayout.metadata(.root, root.contents.header.version)] = root.bytes
    }
    return files
  }

  /// Goes the way of a client that knows nothing, and of one that knows what is published now.
  private static func refresh(
    _ draft: RepositoryDraft,
    withRoot: Bool,
    at now: Timestamp,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws {
    let staged = files(of: draft, withRoot: withRoot)
    func open(_ path: String, _ limit: Int) throws -> [UInt8]? {
      try staged[path] ?? read(path, limit)
    }
    let trusted = try trusted(at: now, reading: open)
    if let base = draft.base { _ = try self.trusted(at: now, knowing: base, reading: open) }
    let changed = draft.targets.keys.filter { $0 != .targets }
    let all =
      draft.targets[.targets]?.contents.delegations != draft.base?.targets.contents.delegations
    try checkBins(
      in: trusted,
      all && draft.targets[.targets] != nil ? nil : Set(changed),
      reading: open
    )
  }

  /// Goes the whole way of a client that knows nothing but the first root, or another one, or what was published before.
  ///
  /// - Throws: ``RepositoryProblem/refused(_:file:)``, and what `read` throws.
  package static func trusted(
    at now: Timestamp,
    knowing base: RepositoryState? = nil,
    from pin: [UInt8]? = nil,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws -> TrustedMetadata {
    let first = RepositoryLayout.metadata(.root, 1)
    guard let pin = try pin ?? read(first, MetadataLimits.standard.root) else {
      throw RepositoryProblem.missing(first)
    }
    var chain: [[UInt8]] = []
    if let newest = base?.root.version, newest > 1 {
      for version in 2...newest {
        let place = RepositoryLayout.metadata(.root, version)
        guard let root = try read(place, MetadataLimits.standard.root) else {
          throw RepositoryProblem.missing(place)
        }
        chain.append(root)
      }
    }
    var asked = first
    do {
      var refresh = MetadataRefresh(
        stored: StoredMetadata(
          pin: pin,
          chain: chain,
          timestamp: base?.timestamp.bytes,
          snapshot: base?.snapshot.bytes,
          targets: base?.targets.bytes
        ),
        now: now
      )
      var step = try refresh.start()
      while true {
        switch step {
        case .fetch(let request):
          asked = "metadata/" + request.name
          let bytes = try read(asked, request.limit)
          step = try refresh.received(bytes.map { .bytes($0) } ?? .absent)
        case .keep: step = try refresh.kept()
        case .done(let trusted): return trusted
        }
      }
    } catch let error as MetadataRefusal {
      throw RepositoryProblem.refused(error, file: asked)
    }
  }

  /// Searches a target in each of these bins, nil for all, as clients do.
  ///
  /// - Throws: ``RepositoryProblem/refused(_:file:)``, and what `read` throws.
  package static func checkBins(
    in trusted: TrustedMetadata,
    _ names: Set<RoleName>? = nil,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws {
    guard names?.isEmpty != true, let delegations = trusted.targets.contents.delegations,
      case .succinct(let roles) = delegations.form
    else { return }
    var left = names ?? Set(roles.roleNames)
    var number = 0
    // Paths are spread evenly, so that a few hundred of them meet each bin; the limit ends it for a foreign name.
    while !left.isEmpty, number < 1 << 20 {
      defer { number += 1 }
      guard let path = TargetPath("manifests/any/\(number)"),
        left.remove(roles.roleName(for: path)) != nil
      else { continue }
      try search(path, in: trusted, reading: read)
    }
    guard left.isEmpty else {
      throw RepositoryProblem.missing(left.map(\.text).sorted().joined(separator: ", "))
    }
  }

  private static func search(
    _ path: TargetPath,
    in trusted: TrustedMetadata,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws {
    var search = TargetSearch(path, in: trusted)
    var asked = "metadata"
    do {
      var step = try search.start()
      while true {
        switch step {
        case .read: step = try search.stored(nil)
        case .fetch(let request):
          asked = "metadata/" + request.name
          step = try search.received(
            try read(asked, request.limit).map { .bytes($0) } ?? .absent
          )
        case .keep: step = try search.kept()
        case .done: return
        }
      }
    } catch let error as MetadataRefusal {
      throw RepositoryProblem.refused(error, file: asked)
    }
  }
}
