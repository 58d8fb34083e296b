import Digests
package import StrictJSON

/// The roles to which a targets role delegates, with their keys (4.5).
package struct Delegations: Equatable, Sendable {
  /// The two ways in which roles are listed.
  package enum Form: Equatable, Sendable {
    /// One by one, in the order of their priority.
    case roles([DelegatedRole])
    /// As numbered bins (TAP 15).
    case succinct(SuccinctRoles)
  }

  package var keys: KeyTable
  package var form: Form
  /// Members that are not known.
  package var others = JSONObject()

  package init(keys: KeyTable, form: Form) { (self.keys, self.form) = (keys, form) }

  /// The roles that may speak of a path, in the order of their priority.
  ///
  /// The search ends its list at the first terminating one.
  package func matching(_ path: TargetPath) -> [DelegatedRole] {
    switch form {
    case .roles(let roles):
      let digest = path.digest.hex
      return roles.filter { $0.scope.covers(path, digest: digest) }
    case .succinct(let bins): return [bins.role(for: path)]
    }
  }
}

extension Delegations {
  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    keys = try KeyTable(try members.object("keys"))
    switch (try members.optionalObjects("roles"), try members.optionalObject("succinct_roles")) {
    case (let roles?, nil): form = .roles(try Self.read(roles))
    case (nil, let bins?): form = .succinct(try SuccinctRoles(bins))
    default: throw .badForm(path: members.path, expected: "either roles or succinct_roles")
    }
    others = members.others(besides: ["keys", "roles", "succinct_roles"])
  }

  private static func read(
    _ entries: [JSONMembers<MetadataProblem>]
  ) throws(MetadataProblem) -> [DelegatedRole] {
    var names: Set<RoleName> = []
    return try entries.map { members throws(MetadataProblem) in
      let role = try DelegatedRole(members)
      guard !role.name.isTopLevel, names.insert(role.name).inserted else {
        throw .badRoleName(path: members.path(of: "name"), found: role.name.text)
      }
      return role
    }
  }

  var signed: JSONValue {
    var object = others
    object["keys"] = keys.signed
    switch form {
    case .roles(let roles): object["roles"] = .array(roles.map(\.signed))
    case .succinct(let bins): object["succinct_roles"] = bins.signed
    }
    return .object(object)
  }
}
