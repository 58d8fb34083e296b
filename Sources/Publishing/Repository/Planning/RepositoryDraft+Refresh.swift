package import Manifests
import Trust

extension RepositoryDraft {
  /// Renews the roles that expire within so many seconds from now; nothing else changes.
  ///
  /// A new timestamp alone needs the timestamp's keys alone: what it names stays as it is, byte for byte.
  package mutating func refresh(within seconds: Int64, at now: Timestamp) {
    guard let base else { return }
    func isDue(_ header: MetadataHeader) -> Bool {
      header.expires.seconds - now.seconds <= seconds
    }
    if isDue(base.root.contents.header) {
      var next = base.root.contents
      next.header = header(.root, version: next.header.version + 1, at: now)
      root = SignedRoot(next)
      summary.append("renew root")
    }
    for (role, file) in [(RoleName.targets, base.targets)] + base.bins.map({ ($0.key, $0.value) })
    where isDue(file.contents.header) {
      edit(role, at: now) { _ in }
      summary.append("renew \(role.text)")
    }
    if targets.isEmpty, isDue(base.snapshot.contents.header) {
      renewsSnapshot = true
      summary.append("renew snapshot")
    }
    if isDue(base.timestamp.contents.header) {
      renewsTimestamp = true
      summary.append("renew timestamp")
    }
  }
}
