package import StrictJSON

/// Which snapshot is current (4.6).
package struct TimestampMetadata: RoleMetadata {
  package static let type = "timestamp"
  package static let section = "4.6"

  package var header: MetadataHeader
  package var snapshot: FileFacts
  /// Entries that the specification does not have.
  private var otherFiles = JSONObject()

  package init(header: MetadataHeader, snapshot: FileFacts) {
    (self.header, self.snapshot) = (header, snapshot)
  }

  package init(signed: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    header = try MetadataHeader(signed, known: ["meta"])
    let files = try signed.object("meta")
    snapshot = try FileFacts(try files.object(RoleName.snapshot.metadataName))
    otherFiles = files.others(besides: [RoleName.snapshot.metadataName])
  }

  package var ownMembers: JSONObject {
    var files = otherFiles
    files[RoleName.snapshot.metadataName] = snapshot.signed
    return ["meta": .object(files)]
  }
}
