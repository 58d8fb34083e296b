package import Manifests
package import StrictJSON

/// What every kind of metadata says of itself.
package struct MetadataHeader: Equatable, Sendable {
  /// The version of the specification that we write.
  package static let ourSpecVersion = "1.0.34"

  /// At least 1.
  package var version: Int
  /// The first second at which the file is no longer valid.
  package var expires: Timestamp
  /// `1.x` or `1.x.y`.
  package var specVersion = ourSpecVersion
  /// Members of `signed` that are not known.
  package var others = JSONObject()

  package init(version: Int, expires: Timestamp) {
    (self.version, self.expires) = (version, expires)
  }

  /// Reads the members that all kinds have; `known` are those of this kind.
  init(
    _ members: JSONMembers<MetadataProblem>,
    known: [String]
  ) throws(MetadataProblem) {
    version = try members.integer("version", in: 1...Int.max)
    expires = try members.time("expires")
    specVersion = try members.string("spec_version")
    guard Self.isSupported(specVersion) else {
      throw .text(path: members.path(of: "spec_version"), found: specVersion, expected: "1.x.y")
    }
    others = members.others(besides: ["_type", "spec_version", "version", "expires"] + known)
  }

  /// Whether the text is a version of the specification with the major number 1.
  private static func isSupported(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts[0].elementsEqual("1".utf8)
      && parts.dropFirst().allSatisfy { part in
        !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      }
  }

  package static func == (one: MetadataHeader, other: MetadataHeader) -> Bool {
    one.version == other.version && one.expires == other.expires
      && ExactText(one.specVersion) == ExactText(other.specVersion) && one.others == other.others
  }
}

extension JSONMembers where Failure == MetadataProblem {
  /// The members whose names are not among `known`.
  func others(besides known: [String]) -> JSONObject {
    let names = unknownNames(besides: known)
    guard !names.isEmpty else { return [:] }
    return JSONObject(uniqueMembers: names.compactMap { name in object[name].map { (name, $0) } })
  }

  /// Reads a time: exactly `YYYY-MM-DDTHH:MM:SSZ`.
  func time(_ name: String) throws(MetadataProblem) -> Timestamp {
    let text = try string(name)
    do throws(ManifestError) { return try Timestamp(text) } catch {
      throw .text(path: path(of: name), found: text, expected: "a time YYYY-MM-DDTHH:MM:SSZ")
    }
  }
}
