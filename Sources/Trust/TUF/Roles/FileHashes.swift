package import Digests
package import StrictJSON

/// The digests of a file as metadata lists them; kinds that are not known are kept and prove nothing.
package struct FileHashes: Equatable, Sendable {
  package var sha256: SHA256Digest?
  package var sha512: SHA512Digest?
  /// Digests of other kinds.
  package var others = JSONObject()

  /// The one digest that we list.
  package init(of bytes: [UInt8]) { sha256 = SHA256Digest(of: bytes) }

  package init(sha256: SHA256Digest?, sha512: SHA512Digest? = nil) {
    (self.sha256, self.sha512) = (sha256, sha512)
  }

  /// Reads an object that is not empty; a digest of a known kind has exactly its digits.
  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    guard !members.object.isEmpty else {
      throw .badForm(path: members.path, expected: "a digest at least")
    }
    sha256 = try members.digest("sha256", digits: 64) { SHA256Digest(hex: $0) }
    sha512 = try members.digest("sha512", digits: 128) { SHA512Digest(hex: $0) }
    others = members.others(besides: ["sha256", "sha512"])
  }

  var signed: JSONValue {
    var object = others
    if let sha256 { object["sha256"] = .string(sha256.hex) }
    if let sha512 { object["sha512"] = .string(sha512.hex) }
    return .object(object)
  }

  /// The digests that stand in front of names in consistent snapshots, those of ours first.
  package var prefixes: [String] { [sha256?.hex, sha512?.hex].compactMap(\.self) }

  /// Refuses bytes that differ from a digest of a known kind, and a list without such a digest.
  func requireMatch(_ bytes: [UInt8]) throws(MetadataProblem) {
    guard sha256 != nil || sha512 != nil else { throw .noKnownDigest }
    if let sha256, sha256 != SHA256Digest(of: bytes) { throw .wrongDigest(algorithm: "sha256") }
    if let sha512, sha512 != SHA512Digest(of: bytes) { throw .wrongDigest(algorithm: "sha512") }
  }
}

extension JSONMembers where Failure == MetadataProblem {
  fileprivate func digest<Digest>(
    _ name: String,
    digits: Int,
    _ read: (String) -> Digest?
  ) throws(MetadataProblem) -> Digest? {
    guard let text = try optionalString(name) else { return nil }
    guard let digest = read(text) else {
      throw .text(
        path: path(of: name),
        found: text,
        expected: "\(digits) digits of 0-9 and a-f"
      )
    }
    return digest
  }
}
