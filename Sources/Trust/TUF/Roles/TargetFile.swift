package import StrictJSON

/// What a targets role says of one target (4.5).
package struct TargetFile: Equatable, Sendable {
  package var length: Int
  package var hashes: FileHashes
  /// What the publisher says besides; opaque to TUF.
  package var custom: JSONObject?
  /// Members that are not known.
  package var others = JSONObject()

  /// Describes bytes as we do, with SHA-256.
  package init(of bytes: [UInt8], custom: JSONObject? = nil) {
    self.init(length: bytes.count, hashes: FileHashes(of: bytes), custom: custom)
  }

  package init(length: Int, hashes: FileHashes, custom: JSONObject? = nil) {
    (self.length, self.hashes, self.custom) = (length, hashes, custom)
  }

  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    length = try members.integer("length", in: 0...Int.max)
    hashes = try FileHashes(try members.object("hashes"))
    custom = try members.optionalObject("custom")?.object
    others = members.others(besides: ["length", "hashes", "custom"])
  }

  var signed: JSONValue {
    var object = others
    object["length"] = .integer(Int64(length))
    object["hashes"] = hashes.signed
    if let custom { object["custom"] = .object(custom) }
    return .object(object)
  }

  /// Refuses bytes that are not the target: another length or another digest, of all kinds that are known (5.7.3).
  ///
  /// The refusal names `path`.
  package func check(_ bytes: [UInt8], path: TargetPath) throws(MetadataRefusal) {
    do throws(MetadataProblem) {
      guard length == bytes.count else {
        throw .wrongLength(found: bytes.count, expected: length)
      }
      try hashes.requireMatch(bytes)
    } catch {
      throw MetadataRefusal(section: "5.7.3", role: .targets, target: path, error)
    }
  }
}
