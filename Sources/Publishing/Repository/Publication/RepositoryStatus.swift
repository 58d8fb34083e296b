package import Manifests
package import Signatures
package import Trust

/// How the roles of a repository stand: how long each is good, and whose signatures it has.
package struct RepositoryStatus: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let role: RoleName
    package let version: Int
    package let expires: Timestamp
    /// How many signatures count, how many must, and how many keys there are.
    package let signatures: Int
    package let threshold: Int
    /// Who can sign the next version.
    package let keys: [Fingerprint]
    package let isDue: Bool

    package var isShort: Bool { signatures < threshold }
  }

  package let rows: [Row]
  package let now: Timestamp

  /// Looks at each role; one is due if it expires within so many seconds from now.
  ///
  /// Bins are told as one, by the one that ends first, unless one lacks signatures.
  package init(_ state: RepositoryState, within seconds: Int64, at now: Timestamp) {
    self.now = now
    let root = state.root.contents
    let facts = Facts(root: root, seconds: seconds, now: now)
    var rows = [
      facts.row(.root, state.root), facts.row(.targets, state.targets),
      facts.row(.snapshot, state.snapshot), facts.row(.timestamp, state.timestamp),
    ].compactMap(\.self)
    if let delegations = state.targets.contents.delegations,
      case .succinct(let bins) = delegations.form
    {
      let all = state.bins.sorted { $0.key.text < $1.key.text }.map { name, bin in
        facts.row(name, bin, bins.keys, delegations.keys)
      }
      rows += all.filter(\.isShort)
      if let first = all.filter({ !$0.isShort }).min(by: { $0.expires < $1.expires }) {
        rows.append(first)
      }
    }
    self.rows = rows
  }

  /// Whether somebody has to act.
  package var isDue: Bool { rows.contains { $0.isDue || $0.isShort } }

  /// The whole days until a row ends, negative once it has.
  package func days(_ row: Row) -> Int64 {
    let seconds = row.expires.seconds - now.seconds
    return seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
  }

  private struct Facts {
    let root: RootMetadata
    let seconds: Int64
    let now: Timestamp

    func row<Role>(_ role: RoleName, _ file: SignedMetadata<Role>) -> Row? {
      root[role].map { row(role, file, $0, root.keys) }
    }

    func row<Role>(
      _ role: RoleName,
      _ file: SignedMetadata<Role>,
      _ keys: RoleKeys,
      _ table: KeyTable
    ) -> Row {
      let header = file.contents.header
      return Row(
        role: role,
        version: header.version,
        expires: header.expires,
        signatures: keys.count(file, keys: table).counted.count,
        threshold: keys.threshold,
        keys: keys.publicKeys(in: table).map(\.fingerprint),
        isDue: header.expires.seconds - now.seconds <= seconds
      )
    }
  }
}
