package import CommandLineKit
import Manifests
import Signatures
package import Trust

extension Diagnostic {
  /// Why a manifest or a version is not accepted, or a policy is none.
  package init(_ error: TrustError, for audience: Audience) {
    switch error {
    case .untrustedSigner, .brokenSignature, .noCurrentSigner, .withdrawnSigner, .noRule,
      .tooFewSigners,
      .reserved, .withdrawnManifest, .expired:
      self.init(aboutSigners: error, for: audience)
    case .noEnvelope(let problem): self.init(problem)
    case .unusable(let problem):
      self.init(
        .unusable,
        kind: .badManifest,
        problem.text,
        notes: ["a trusted key signed it"],
        helps: [audience == .client ? "tell the publisher" : "build and sign the release again"]
      )
    case .noReport, .tooFewReportSigners, .unusableReport, .brokenChain:
      self.init(aboutReport: error)
    case .downgrade, .replaced, .unknownFloor: self.init(aboutVersion: error)
    default: self.init(aboutPolicy: error)
    }
  }

  private init(aboutSigners error: TrustError, for audience: Audience) {
    switch error {
    case .untrustedSigner(let claimed):
      self.init(
        .notAccepted,
        kind: .untrustedSigner,
        "no trusted key has signed the manifest",
        notes: claimed.isEmpty
          ? ["it has no signature"]
          : ["it names these signers: \(claimed.map(claimedName).joined(separator: ", "))"],
        helps: [Self.help(claimed: claimed, for: audience)]
      )
    case .brokenSignature(let keys):
      self.init(
        .notAccepted,
        kind: .brokenSignature,
        "no signature of a trusted key matches the manifest",
        notes: keys.map { "it names \($0.name) \($0.fingerprint), which did not sign these bytes" },
        helps: [
          audience == .client
            ? "get the manifest again from the publisher: this one was changed, or signed by another key"
            : "sign it again: it was changed, or signed by another key"
        ]
      )
    case .noCurrentSigner(let ignored, let rules):
      self.init(
        .notAccepted,
        kind: .noCurrentSigner,
        "no key that signed the manifest may sign one now",
        notes: ignored.map { words($0, "signed") }
          + (audience == .client ? rules.map { "the rule \($0.words) names such a key" } : []),
        helps: [
          audience == .client
            ? "ask the publisher for a manifest that a current key has signed"
            : "sign with a current key"
        ]
      )
    case .withdrawnSigner(let keys, let repository):
      let place = repository.map { " by the repository \($0)" } ?? ""
      self.init(
        .notAccepted,
        kind: .noCurrentSigner,
        "the manifest names a key that is withdrawn\(place), and no trusted key has signed it",
        notes: keys.sorted { $0.key < $1.key }.map {
          "\($0.key) is withdrawn: \(escaped($0.value))"
        },
        helps: [
          audience == .publisher
            ? "sign with a current key"
            : repository == nil
              ? "ask the publisher for a manifest that a current key has signed"
              : "sealift update brings a release that a current key has signed, once there is one"
        ]
      )
    case .noRule(let model):
      self.init(
        .notAccepted,
        kind: .noRule,
        "no trusted key may sign \(model)",
        helps: ["sealift trust add KEY --models PATTERN says which keys may sign it"]
      )
    case .reserved(let model, let repository, let problem):
      self.init(reserved: model, by: repository, problem)
    case .tooFewSigners(let rule, let counted, let ignored):
      let others = rule.keys.filter { !counted.contains($0) }
      self.init(
        .notAccepted,
        kind: .tooFewSigners,
        "\(counted.count) of \(CommandLineKit.counted(rule.keys.count, "key")) signed this manifest, \(rule.threshold) needed",
        notes: (audience == .client ? ["the rule is \(rule.words)"] : [])
          + counted.map { "signed by \($0)" } + others.map { "not signed by \($0)" }
          + ignored.map { words($0, "signed too") },
        helps: [
          audience == .client
            ? "the publisher has to add signatures with sealift-publish sign"
            : "sealift-publish sign MANIFEST --key FILE adds a signature"
        ]
      )
    case .withdrawnManifest(let digest, let reason):
      self.init(
        .notAccepted,
        kind: .withdrawn,
        "the release is withdrawn: \(reason)",
        notes: ["its manifest has SHA-256 \(digest)"]
      )
    case .expired(let time, let now):
      self.init(
        .notAccepted,
        kind: .expired,
        "the manifest expired at \(time)",
        notes: ["the clock here says \(now)"],
        helps: [
          audience == .client ? "ask the publisher for a new version" : "publish a new version"
        ]
      )
    default: self.init(unknown: error)
    }
  }

  private static func help(claimed: [String], for audience: Audience) -> String {
    switch audience {
    case .client: "sealift trust list shows the trusted keys, sealift trust add adds one"
    case .publisher where claimed.isEmpty:
      "sealift-publish sign MANIFEST --key FILE signs it"
    case .publisher:
      "give the public key of the signer, or fetch the manifest again if it should be the same"
    }
  }
}

private func words(_ signer: IgnoredSigner, _ verb: String) -> String {
  "\(signer.key.name) \(signer.key.fingerprint) \(verb), but \(signer.reason.words)"
}

extension TrustRule {
  /// The rule in a few words: `acme/*: 1 of 2`.
  package var words: String { "\(models.text): \(threshold) of \(keys.count)" }
}

extension IgnoredSigner.Reason {
  /// What stands against the signature of a key, to follow the name of the key.
  package var words: String {
    switch self {
    case .notInRule: "may not sign this model"
    case .withdrawn(let reason): "is withdrawn: \(reason)"
    case .exportOnly: "is export-only and signs no manifest"
    case .ended(let time): "is not accepted after \(time)"
    }
  }
}
