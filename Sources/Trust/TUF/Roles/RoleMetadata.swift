import Manifests
package import StrictJSON

/// What one kind of metadata says: the value of `signed`.
package protocol RoleMetadata: Equatable, Sendable {
  /// The text of `_type`.
  static var type: String { get }
  /// The section of the specification that describes the file.
  static var section: String { get }

  var header: MetadataHeader { get set }

  /// Reads the members of `signed`, which carry the right `_type`.
  init(signed: JSONMembers<MetadataProblem>) throws(MetadataProblem)

  /// The members besides those of the header and `_type`.
  var ownMembers: JSONObject { get }
}

extension RoleMetadata {
  /// The value of `signed` as we write it, with all members that were read.
  package var signed: JSONValue {
    var object = header.others
    object["_type"] = .string(Self.type)
    object["spec_version"] = .string(header.specVersion)
    object["version"] = .integer(Int64(header.version))
    object["expires"] = .string(header.expires.text)
    for member in ownMembers.members { object[member.name] = member.value }
    return .object(object)
  }
}
