import CommandErrors
import Manifests
import Signatures
import StrictJSON
import Trust

extension TrustPolicy {
  /// What a list says of a key after its fingerprint: its name, and until when or why not it counts.
  func words(for key: TrustedKey, at now: Timestamp) -> String {
    if case .withdrawn(let reason)? = objection(to: key, at: now) {
      return "\(key.name), withdrawn: \(reason)"
    }
    guard let end = key.notAfter else { return key.name }
    return "\(key.name), \(key.hasEnded(at: now) ? "ended" : "until") \(end)"
  }

  /// The key for programs.
  func members(of key: TrustedKey, at now: Timestamp) -> JSONObject {
    var members: JSONObject = [
      "fingerprint": .string(key.fingerprint.description), "name": .string(key.name),
      "publicKey": .string(key.publicKey.shortForm),
    ]
    members["notAfter"] = (key.notAfter?.text).map { .string($0) }
    members["exportOnly"] = .boolean(key.isExportOnly)
    let reason = objection(to: key, at: now)
    members["counts"] = .boolean(reason == nil)
    members["reason"] = (reason?.code).map { .string($0) }
    members["withdrawn"] = withdrawnKeys[key.fingerprint].map { .string($0) }
    return members
  }

  /// The rule for programs.
  func members(of rule: TrustRule, at now: Timestamp) -> JSONObject {
    var members = rule.members
    members["counting"] = .integer(Int64(countingKeys(of: rule, at: now).count))
    return members
  }
}

extension TrustRule {
  /// The rule for programs, without what the time changes.
  var members: JSONObject {
    [
      "models": .string(models.text), "threshold": .integer(Int64(threshold)),
      "keys": .array(keys.map { .string($0.description) }),
    ]
  }
}

extension IgnoredSigner.Reason {
  /// The stable name of the reason for programs.
  var code: String {
    switch self {
    case .notInRule: "notInRule"
    case .withdrawn: "withdrawn"
    case .exportOnly: "exportOnly"
    case .ended: "ended"
    }
  }
}
