package import StrictJSON

/// Targets, and the roles to which others are delegated (4.5): the contents of `targets.json` and of every delegated role.
package struct TargetsMetadata: RoleMetadata {
  package static let type = "targets"
  package static let section = "4.5"

  package var header: MetadataHeader
  package var targets: [TargetPath: TargetFile]
  package var delegations: Delegations?

  package init(
    header: MetadataHeader,
    targets: [TargetPath: TargetFile] = [:],
    delegations: Delegations? = nil
  ) {
    (self.header, self.targets, self.delegations) = (header, targets, delegations)
  }

  package init(signed: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    header = try MetadataHeader(signed, known: ["targets", "delegations"])
    let entries = try signed.object("targets")
    targets = [:]
    targets.reserveCapacity(entries.object.count)
    for (name, node) in entries.nodes {
      guard let path = TargetPath(name) else {
        throw .text(path: node.path, found: name, expected: "a path")
      }
      targets[path] = try TargetFile(try node.object())
    }
    delegations = try signed.optionalObject("delegations")
      .map { members throws(MetadataProblem) in try Delegations(members) }
  }

  package var ownMembers: JSONObject {
    let entries = targets.map { ($0.key.text, $0.value.signed) }
    var members: JSONObject = ["targets": .object(JSONObject(uniqueMembers: entries))]
    members["delegations"] = delegations?.signed
    return members
  }
}
