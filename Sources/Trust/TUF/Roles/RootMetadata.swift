package import StrictJSON

/// The keys of a repository: which of them sign what (4.3).
package struct RootMetadata: RoleMetadata {
  package static let type = "root"
  package static let section = "4.3"

  package var header: MetadataHeader
  /// Whether files carry their version or digest in their names (6.2); absent is false.
  package var usesConsistentSnapshots: Bool {
    get { consistentSnapshot ?? false }
    set { consistentSnapshot = newValue }
  }

  /// The member as it stands, since what is signed must not change when it is written again.
  private var consistentSnapshot: Bool?
  package var keys: KeyTable
  package var root: RoleKeys
  package var timestamp: RoleKeys
  package var snapshot: RoleKeys
  package var targets: RoleKeys
  /// Further roles, such as `mirrors`, which nobody fetches.
  package private(set) var otherRoles = JSONObject()

  package init(
    header: MetadataHeader,
    usesConsistentSnapshots: Bool = true,
    keys: KeyTable,
    root: RoleKeys,
    timestamp: RoleKeys,
    snapshot: RoleKeys,
    targets: RoleKeys
  ) {
    self.header = header
    consistentSnapshot = usesConsistentSnapshots
    self.keys = keys
    (self.root, self.timestamp) = (root, timestamp)
    (self.snapshot, self.targets) = (snapshot, targets)
  }

  /// The keys of one of the four roles; nil for every other name, and setting that is without effect.
  package subscript(role: RoleName) -> RoleKeys? {
    get { Self.place(of: role).map { self[keyPath: $0] } }
    set {
      guard let newValue, let place = Self.place(of: role) else { return }
      self[keyPath: place] = newValue
    }
  }

  private static func place(of role: RoleName) -> WritableKeyPath<RootMetadata, RoleKeys>? {
    switch role {
    case .root: \.root
    case .timestamp: \.timestamp
    case .snapshot: \.snapshot
    case .targets: \.targets
    default: nil
    }
  }
}

extension RootMetadata {
  private static let roleNames: [RoleName] = [.root, .timestamp, .snapshot, .targets]

  package init(signed: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    header = try MetadataHeader(signed, known: ["consistent_snapshot", "keys", "roles"])
    consistentSnapshot = try signed.optionalNode("consistent_snapshot")
      .map { node throws(MetadataProblem) in try node.boolean() }
    keys = try KeyTable(try signed.object("keys"))
    let roles = try signed.object("roles")
    func read(_ role: RoleName) throws(MetadataProblem) -> RoleKeys {
      let members = try roles.object(role.text)
      var keys = try RoleKeys(members)
      keys.others = members.others(besides: RoleKeys.memberNames)
      return keys
    }
    (root, timestamp) = (try read(.root), try read(.timestamp))
    (snapshot, targets) = (try read(.snapshot), try read(.targets))
    otherRoles = roles.others(besides: Self.roleNames.map(\.text))
  }

  package var ownMembers: JSONObject {
    var roles = otherRoles
    roles["root"] = .object(root.signed)
    roles["timestamp"] = .object(timestamp.signed)
    roles["snapshot"] = .object(snapshot.signed)
    roles["targets"] = .object(targets.signed)
    var members: JSONObject = ["keys": keys.signed, "roles": .object(roles)]
    members["consistent_snapshot"] = consistentSnapshot.map { .boolean($0) }
    return members
  }
}
