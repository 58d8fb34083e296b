package import StrictJSON

/// What timestamp and snapshot say of a file of metadata: its version, and perhaps its length and digests.
package struct FileFacts: Equatable, Sendable {
  /// At least 1.
  package var version: Int
  package var length: Int?
  package var hashes: FileHashes?
  /// Members that are not known.
  package var others = JSONObject()

  /// Describes a file as we do, with length and SHA-256.
  package init(version: Int, of bytes: [UInt8]) {
    self.version = version
    length = bytes.count
    hashes = FileHashes(of: bytes)
  }

  package init(version: Int, length: Int? = nil, hashes: FileHashes? = nil) {
    (self.version, self.length, self.hashes) = (version, length, hashes)
  }

  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    version = try members.integer("version", in: 1...Int.max)
    length = try members.optionalInteger("length", in: 0...Int.max)
    hashes = try members.optionalObject("hashes")
      .map { members throws(MetadataProblem) in try FileHashes(members) }
    others = members.others(besides: ["version", "length", "hashes"])
  }

  var signed: JSONValue {
    var object = others
    object["version"] = .integer(Int64(version))
    if let length { object["length"] = .integer(Int64(length)) }
    if let hashes { object["hashes"] = hashes.signed }
    return .object(object)
  }

  /// Refuses bytes of another length or with another digest than are listed, before anything reads them.
  func requireMatch(_ bytes: [UInt8]) throws(MetadataProblem) {
    if let length, length != bytes.count {
      throw .wrongLength(found: bytes.count, expected: length)
    }
    try hashes?.requireMatch(bytes)
  }
}
