import StrictJSON

/// A role that may speak of some paths on behalf of the one that delegates to it.
package struct DelegatedRole: Equatable, Sendable {
  /// Which paths a delegation is about.
  package enum Scope: Equatable, Sendable {
    case paths([PathPattern])
    /// The first digits of the SHA-256 of paths, in lower case.
    case hashPrefixes([String])

    /// Whether the path is among them; `digest` is its SHA-256 in hexadecimal digits.
    func covers(_ path: TargetPath, digest: String) -> Bool {
      switch self {
      case .paths(let patterns): patterns.contains { $0.matches(path) }
      case .hashPrefixes(let prefixes): prefixes.contains { digest.utf8.starts(with: $0.utf8) }
      }
    }
  }

  package var name: RoleName
  package var keys: RoleKeys
  /// Whether a path of the scope is sought nowhere else, found or not.
  package var isTerminating: Bool
  package var scope: Scope

  package init(name: RoleName, keys: RoleKeys, isTerminating: Bool, scope: Scope) {
    (self.name, self.keys) = (name, keys)
    (self.isTerminating, self.scope) = (isTerminating, scope)
  }
}

extension DelegatedRole {
  private static let memberNames =
    RoleKeys.memberNames + ["name", "terminating", "paths", "path_hash_prefixes"]

  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    let text = try members.string("name")
    guard text.utf8.count <= RoleName.longest else {
      throw .badForm(path: members.path(of: "name"), expected: "at most \(RoleName.longest) bytes")
    }
    guard let name = RoleName(text) else {
      throw .text(path: members.path(of: "name"), found: text, expected: "a name")
    }
    self.name = name
    keys = try RoleKeys(members)
    keys.others = members.others(besides: Self.memberNames)
    isTerminating = try members.boolean("terminating")
    let paths = try members.optionalStrings("paths")
    let prefixes = try members.optionalStrings("path_hash_prefixes")
    switch (paths, prefixes) {
    case (let paths?, nil): scope = .paths(paths.map { PathPattern($0) })
    case (nil, let prefixes?): scope = .hashPrefixes(prefixes)
    default: throw .badForm(path: members.path, expected: "either paths or path_hash_prefixes")
    }
  }

  var signed: JSONValue {
    var object = keys.signed
    object["name"] = .string(name.text)
    object["terminating"] = .boolean(isTerminating)
    switch scope {
    case .paths(let patterns): object["paths"] = .array(patterns.map { .string($0.text) })
    case .hashPrefixes(let prefixes):
      object["path_hash_prefixes"] = .array(prefixes.map { .string($0) })
    }
    return .object(object)
  }
}
