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
    if draft.root != nil, draft.base != nil, draft.suitsOldRoot, draft.timestamp != nil {
      try refresh(files(of: draft, withRoot: false), at: now, reading: read)
    }
    try refresh(files(of: draft, withRoot: true), at: now, reading: read)
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

  private static func refresh(
    _ staged: [String: [UInt8]],
    at now: Timestamp,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws {
    _ = try trusted(at: now) { path, limit in try staged[path] ?? read(path, limit) }
  }

  /// Goes the whole way of a client that knows nothing but the first root.
  ///
  /// - Throws: ``RepositoryProblem/refused(_:file:)``, and what `read` throws.
  package static func trusted(
    at now: Timestamp,
    reading read: (String, Int) throws -> [UInt8]?
  ) throws -> TrustedMetadata {
    let first = RepositoryLayout.metadata(.root, 1)
    guard let pin = try read(first, MetadataLimits.standard.root) else {
      throw RepositoryProblem.missing(first)
    }
    var asked = first
    do {
      var refresh = MetadataRefresh(
        stored: StoredMetadata(pin: pin, chain: [], timestamp: nil, snapshot: nil, targets: nil),
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
}
