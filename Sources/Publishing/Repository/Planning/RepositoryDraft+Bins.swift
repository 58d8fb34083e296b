package import Manifests
package import Trust

/// Bins: targets roles that share the releases of a large repository by the hash of their paths.
///
/// One more release then rewrites two of them instead of a list of all. A bin cannot be searched for a model, so each model has
/// a document of its own that lists its releases.
extension RepositoryDraft {
  /// With more releases than this, the targets are spread over bins.
  package static let binsFrom = 1_000
  /// 128 bins: of 10,000 releases, the largest bin and the snapshot that names them all are of about one size.
  static let bitLength = 7
  static let binPrefix = "bin"

  /// Whether a target lies in a bin once there are bins; policy and withdrawn releases stay where all find them at once.
  package static func isBinned(_ path: TargetPath) -> Bool {
    path.text != RepositoryPath.policy && path.text != RepositoryPath.withdrawn
  }

  /// Moves every release from the one list to bins.
  package mutating func spread(at now: Timestamp) throws(RepositoryProblem) {
    guard let old = contents(.targets), old.delegations == nil, let root = nextRoot else { return }
    let bins = SuccinctRoles(
      keys: root.targets,
      bitLength: Self.bitLength,
      namePrefix: Self.binPrefix
    )
    let moved = old.targets.filter { Self.isBinned($0.key) }
    edit(.targets, at: now) { targets in
      for path in moved.keys { targets.targets[path] = nil }
      targets.delegations = Delegations(keys: Self.keys(of: root), form: .succinct(bins))
    }
    let parts = Dictionary(grouping: moved) { bins.roleName(for: $0.key) }
    for name in bins.roleNames {
      edit(name, at: now) { bin in
        for (path, file) in parts[name] ?? [] { bin.targets[path] = file }
      }
    }
    summary.append("spread the releases over \(bins.binCount) bins")
    try index(Set(listed().map(\.entry.model)), at: now)
  }

  /// The keys of the targets role, which sign the bins as well.
  static func keys(of root: RootMetadata) -> KeyTable {
    KeyTable(root.targets.keyIDs.compactMap { root.keys[$0] })
  }

  /// Writes the list of releases of each of these models anew, where there are bins.
  mutating func index(_ models: Set<ModelName>, at now: Timestamp) throws(RepositoryProblem) {
    guard contents(.targets)?.delegations != nil else { return }
    let all = Dictionary(grouping: try listed(), by: \.entry.model)
    for model in models.sorted() {
      let rows = (all[model] ?? []).compactMap { release in
        release.file.hashes.sha256.map { ModelIndex.Row(entry: release.entry, digest: $0) }
      }
      let path = try Self.path(RepositoryPath.index(of: model))
      let index: ModelIndex
      do { index = try ModelIndex(model: model, rows: rows) } catch {
        throw .badDocument(path.text, error)
      }
      try list(index.encode(), at: path, custom: nil, now)
    }
  }
}
