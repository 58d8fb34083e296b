import Digests
import Manifests
import Signatures
package import StrictJSON

/// The JSON form of a trust policy:
///
///     { "schema": "sealift.trust/1",
///       "keys": { "SHA256:…": { "publicKey": "ed25519:…", "name": "release", "notAfter": "2027-…Z" },
///                 "SHA256:…": { "publicKey": "ed25519:…", "name": "sums", "exportOnly": true } },
///       "rules": [ { "models": "lfm2-*", "keys": ["SHA256:…"], "threshold": 1 } ],
///       "withdrawn": { "keys": { "SHA256:…": "lost" }, "manifests": { "<64 hex>": "wrong tokenizer" } } }
///
/// Unknown members are refused: a rule that this version does not understand must not be skipped.
extension TrustPolicy {
  private static let schema = "sealift.trust/1"

  /// Reads a policy; throws `badPolicy` with the place, or another ``TrustError`` of a policy.
  package init(document: JSONValue) throws(TrustError) {
    let top = try JSONMembers<TrustError>(document: document)
    try Self.refuseUnknown(in: top, besides: ["schema", "keys", "rules", "withdrawn"])
    guard try top.string("schema") == Self.schema else {
      throw .badPolicy(place: top.path(of: "schema"), problem: "is not \(Self.schema)")
    }
    let withdrawn = try top.optionalObject("withdrawn")
    if let withdrawn { try Self.refuseUnknown(in: withdrawn, besides: ["keys", "manifests"]) }
    try self.init(
      keys: try Self.readKeys(try top.object("keys")),
      rules: try Self.readRules(try top.objects("rules")),
      withdrawnKeys: try Self.readReasons(try withdrawn?.optionalObject("keys")) {
        Fingerprint($0)
      },
      withdrawnManifests: try Self.readReasons(try withdrawn?.optionalObject("manifests")) {
        SHA256Digest(hex: $0)
      }
    )
  }

  /// The policy as a document, always the same for the same policy.
  package var document: JSONValue {
    let sortedKeys = keys.values.sorted { $0.fingerprint < $1.fingerprint }
    var top: JSONObject = [
      "schema": .string(Self.schema),
      "keys": .object(
        JSONObject(
          uniqueMembers: sortedKeys.map { ($0.fingerprint.description, Self.document(of: $0)) }
        )
      ),
      "rules": .array(rules.map(Self.document)),
    ]
    if !withdrawnKeys.isEmpty || !withdrawnManifests.isEmpty {
      top["withdrawn"] = [
        "keys": Self.document(ofReasons: withdrawnKeys.map { ($0.key.description, $0.value) }),
        "manifests": Self.document(ofReasons: withdrawnManifests.map { ($0.key.hex, $0.value) }),
      ]
    }
    return .object(top)
  }

  private static func readKeys(
    _ members: JSONMembers<TrustError>
  ) throws(TrustError) -> [TrustedKey] {
    var keys: [TrustedKey] = []
    for (name, node) in members.nodes {
      let key = try node.object()
      try refuseUnknown(in: key, besides: ["publicKey", "name", "notAfter", "exportOnly"])
      let publicKey = try read("publicKey", of: key, as: "a public key") {
        try? PublicKey(text: $0)
      }
      guard name.utf8.elementsEqual(publicKey.fingerprint.description.utf8) else {
        throw .badPolicy(place: key.path, problem: "is not the fingerprint of its public key")
      }
      keys.append(
        TrustedKey(
          publicKey: publicKey,
          name: try key.string("name"),
          notAfter: key.object.contains("notAfter")
            ? try read("notAfter", of: key, as: "a time") { try? Timestamp($0) } : nil,
          isExportOnly: key.object.contains("exportOnly") ? try key.boolean("exportOnly") : false
        )
      )
    }
    return keys
  }

  private static func readRules(
    _ rules: [JSONMembers<TrustError>]
  ) throws(TrustError) -> [TrustRule] {
    var result: [TrustRule] = []
    for rule in rules {
      try refuseUnknown(in: rule, besides: ["models", "keys", "threshold"])
      var keys: [Fingerprint] = []
      for text in try rule.strings("keys") {
        guard let key = Fingerprint(text), !keys.contains(key) else {
          throw .badPolicy(
            place: rule.path(of: "keys"),
            problem: "has a wrong or repeated fingerprint"
          )
        }
        keys.append(key)
      }
      result.append(
        try TrustRule(
          models: try ModelPattern(try rule.string("models")),
          keys: keys,
          threshold: try rule.integer("threshold", in: 1...1000)
        )
      )
    }
    return result
  }

  private static func readReasons<Name: Hashable>(
    _ members: JSONMembers<TrustError>?,
    name read: (String) -> Name?
  ) throws(TrustError) -> [Name: String] {
    var reasons: [Name: String] = [:]
    for (text, node) in members?.nodes ?? [] {
      guard let name = read(text) else {
        throw .badPolicy(place: node.path, problem: "is not named by a fingerprint or digest")
      }
      reasons[name] = try node.string()
    }
    return reasons
  }

  private static func read<Value>(
    _ name: String,
    of members: JSONMembers<TrustError>,
    as what: String,
    _ parse: (String) -> Value?
  ) throws(TrustError) -> Value {
    guard let value = parse(try members.string(name)) else {
      throw .badPolicy(place: members.path(of: name), problem: "is not \(what)")
    }
    return value
  }

  private static func refuseUnknown(
    in members: JSONMembers<TrustError>,
    besides known: [String]
  ) throws(TrustError) {
    guard let name = members.unknownNames(besides: known).first else { return }
    throw .badPolicy(place: members.path(of: name), problem: "is not known to this version")
  }

  private static func document(of key: TrustedKey) -> JSONValue {
    var members: JSONObject = [
      "publicKey": .string(key.publicKey.shortForm), "name": .string(key.name),
    ]
    if let end = key.notAfter { members["notAfter"] = .string(end.text) }
    if key.isExportOnly { members["exportOnly"] = true }
    return .object(members)
  }

  private static func document(of rule: TrustRule) -> JSONValue {
    [
      "models": .string(rule.models.text),
      "keys": .array(rule.keys.map { .string($0.description) }),
      "threshold": .integer(Int64(rule.threshold)),
    ]
  }

  private static func document(ofReasons reasons: [(String, String)]) -> JSONValue {
    .object(
      JSONObject(
        uniqueMembers: reasons.sorted { $0.0 < $1.0 }.map { ($0.0, .string($0.1)) }
      )
    )
  }
}
