package import Signatures
package import StrictJSON

/// Who may sign for a role, and how many of them must.
package struct RoleKeys: Equatable, Sendable {
  /// The names of the keys, in the order of the file.
  package var keyIDs: [KeyID]
  /// At least 1 in everything that was read.
  package var threshold: Int
  /// Members that are not known.
  package var others = JSONObject()

  package init(keyIDs: [KeyID], threshold: Int) {
    (self.keyIDs, self.threshold) = (keyIDs, threshold)
  }

  /// The usable Ed25519 keys of the role, each once.
  package func publicKeys(in keys: KeyTable) -> [PublicKey] {
    var seen: Set<PublicKey> = []
    return keyIDs.compactMap { keys[$0]?.publicKey }.filter { seen.insert($0).inserted }
  }
}

extension RoleKeys {
  static let memberNames = ["keyids", "threshold"]
  /// The most keys that a role may name: each may cost a verification of the whole file.
  private static let mostKeys = 256

  /// Reads the two members, wherever they stand; a threshold is an integer of at least 1.
  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    let keyIDs = try members.strings("keyids")
    guard keyIDs.count <= Self.mostKeys else {
      throw .badForm(path: members.path(of: "keyids"), expected: "at most \(Self.mostKeys) names")
    }
    self.init(
      keyIDs: keyIDs.map { KeyID($0) },
      threshold: try members.integer("threshold", in: 1...Int.max)
    )
  }

  /// The members as they are written, those that are not known included.
  var signed: JSONObject {
    var object = others
    object["keyids"] = .array(keyIDs.map { .string($0.text) })
    object["threshold"] = .integer(Int64(threshold))
    return object
  }
}
