import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Signatures
import StrictJSON
import Trust

/// What `trust check` prints of a verdict.
struct TrustVerdictPage {
  private let verdict: TrustVerdict

  init(_ verdict: TrustVerdict) { self.verdict = verdict }

  /// Why nothing was accepted; nil if something was.
  var refusal: Diagnostic? { verdict.refusal.map(ConsumerTool.explain) }

  var lines: [String] {
    let keys = verdict.signers.map { signer in
      "  \(signer.key.fingerprint)  \(signer.key.name): \(signer.words)"
    }
    let strangers = verdict.unproven.map { name in
      words(stranger: name)
    }
    var lines = [headline] + keys + strangers
    if let digest = verdict.digest { lines.append("manifest SHA-256 \(digest)") }
    return lines
  }

  /// What is said of a signature that verifies with no key of the policy; its name may be that of one all the same.
  private func words(stranger name: String) -> String {
    let key = verdict.signers.first { $0.key.fingerprint.description.utf8.elementsEqual(name.utf8) }
    if let key { return "  a signature under the name of \(key.key.name) is not by that key" }
    return
      "  a signature named \(name.isEmpty ? "nothing" : quoted(name)) is by no key of the policy"
  }

  private var headline: String {
    let subject =
      verdict.release.map { "\($0.model) \($0.version)" } ?? "the manifest, which was not read"
    let decision = verdict.accepted == nil ? "refused" : "accepted"
    let whose = verdict.repository.map { " of the repository \($0)" } ?? ""
    guard let rule = verdict.rule else {
      if let repository = verdict.repository {
        return "\(subject): \(decision), belongs to the repository \(repository)"
      }
      let why = verdict.release == nil ? "no rule was asked" : "no rule is about this model"
      return "\(subject): \(decision), \(why)"
    }
    let counting = verdict.signers.count { $0.standing == .counts }
    return "\(subject): \(decision) by the rule \(rule.models.text)\(whose): signatures of "
      + "\(counting) of \(counted(rule.keys.count, "key")) count, \(rule.threshold) needed"
  }

  var signerEvents: [JSONObject] { verdict.signers.map(\.members) }

  var members: JSONObject {
    var members: JSONObject = ["accepted": .boolean(verdict.accepted != nil)]
    members["model"] = verdict.release.map { .string($0.model.text) }
    members["version"] = verdict.release.map { .string($0.version.text) }
    members["manifestSha256"] = verdict.digest.map { .string($0.hex) }
    members["rule"] = verdict.rule.map { .object($0.members) }
    members["counted"] = .integer(Int64(verdict.signers.count { $0.standing == .counts }))
    members["repository"] = verdict.repository.map { .string($0.text) }
    members["unproven"] = .array(verdict.unproven.map { .string($0) })
    members["refusal"] = (refusal?.kind.rawValue).map { .string($0) }
    return members
  }
}

extension TrustVerdict.Signer {
  fileprivate var words: String {
    switch standing {
    case .counts: "signed, counts"
    case .ignored(let reason): "signed, \(reason.words)"
    case .undecided: "signed; what it may sign was not asked"
    case .absent: "did not sign"
    }
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "fingerprint": .string(key.fingerprint.description), "name": .string(key.name),
      "signed": .boolean(standing != .absent), "counts": .boolean(standing == .counts),
    ]
    if case .ignored(let reason) = standing {
      members["reason"] = .string(reason.code)
      members["message"] = .string(reason.words)
    }
    return members
  }
}
