package import Manifests
package import Signatures
package import Trust

extension RepositoryDraft {
  /// Renews the roles that expire within so many seconds from now; nothing else changes.
  ///
  /// A new timestamp alone needs the timestamp's keys alone: what it names stays as it is, byte for byte. What `signers`
  /// cannot complete is left out, nil renews all for others to sign; beside a change that waits the timestamp alone is
  /// renewed, since nothing that waits builds on it.
  /// - Returns: The roles that are due and were left out.
  package mutating func refresh(
    within seconds: Int64,
    at now: Timestamp,
    by signers: Set<PublicKey>? = nil,
    isBesideAnother: Bool = false
  ) -> [RoleName] {
    guard let base else { return [] }
    var left: [RoleName] = []
    func isDue(_ header: MetadataHeader) -> Bool {
      header.expires.seconds - now.seconds <= seconds
    }
    func takes(_ role: RoleName, _ file: MetadataHeader) -> Bool {
      guard isDue(file) else { return false }
      if !isBesideAnother || role == .timestamp, canRenew(role, signers) { return true }
      left.append(role)
      return false
    }
    let (root, bins) = (base.root.contents, base.bins.sorted { $0.key.text < $1.key.text })
    if takes(.root, root.header) { renewRoot(root, at: now) }
    for (role, file) in [(RoleName.targets, base.targets)] + bins.map({ ($0.key, $0.value) })
    where takes(role, file.contents.header) {
      edit(role, at: now) { _ in }
      summary.append("renew \(role.text)")
    }
    if targets.isEmpty, takes(.snapshot, base.snapshot.contents.header) {
      renewsSnapshot = true
      summary.append("renew snapshot")
    }
    if takes(.timestamp, base.timestamp.contents.header) {
      renewsTimestamp = true
      summary.append("renew timestamp")
    }
    return left
  }

  private mutating func renewRoot(_ old: RootMetadata, at now: Timestamp) {
    var next = old
    next.header = header(.root, version: old.header.version + 1, at: now)
    root = SignedRoot(next)
    summary.append("renew root")
  }

  /// Whether these keys complete the next version of a role, and of those that name it.
  private func canRenew(_ role: RoleName, _ signers: Set<PublicKey>?) -> Bool {
    guard let signers, let root = base?.root.contents else { return true }
    let needed: [RoleName] =
      switch role {
      case .root, .timestamp: [role]
      case .snapshot: [.snapshot, .timestamp]
      default: [.targets, .snapshot, .timestamp]
      }
    return needed.allSatisfy { role in
      guard let keys = root[role] else { return false }
      return keys.publicKeys(in: root.keys).count(where: signers.contains) >= keys.threshold
    }
  }
}
