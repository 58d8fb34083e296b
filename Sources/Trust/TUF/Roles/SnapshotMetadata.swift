package import StrictJSON

/// Which version of every targets role is current (4.4).
package struct SnapshotMetadata: RoleMetadata {
  package static let type = "snapshot"
  package static let section = "4.4"

  package var header: MetadataHeader
  /// The targets role and all delegated ones.
  package var files: [RoleName: FileFacts]
  /// Entries whose names are not those of a role's file.
  private var otherFiles = JSONObject()

  package init(header: MetadataHeader, files: [RoleName: FileFacts]) {
    (self.header, self.files) = (header, files)
  }

  package init(signed: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    header = try MetadataHeader(signed, known: ["meta"])
    files = [:]
    for (name, node) in try signed.object("meta").nodes {
      if let role = RoleName(metadataName: name) {
        files[role] = try FileFacts(try node.object())
      } else {
        otherFiles[name] = node.value
      }
    }
  }

  package var ownMembers: JSONObject {
    let listed = files.map { ($0.key.metadataName, $0.value.signed) }
    let others = otherFiles.members.map { ($0.name, $0.value) }
    return ["meta": .object(JSONObject(uniqueMembers: listed + others))]
  }
}
