import CommandLineKit
import Manifests
import Trust

extension Diagnostic {
  init(_ error: TrustError) {
    switch error {
    case .untrustedSigner(let claimed):
      self.init(
        .notAccepted,
        kind: "untrustedSigner",
        "none of the keys signed this manifest",
        notes: [
          claimed.isEmpty
            ? "it has no signature"
            : "it names these signers: \(claimed.map(named).joined(separator: ", "))"
        ],
        helps: claimed.isEmpty
          ? ["sealift-publish sign MANIFEST --key FILE signs it"]
          : [
            "give the public key of the signer, or fetch the manifest again if it should be the same"
          ]
      )
    case .tooFewSigners(let rule, let counted, _):
      self.init(
        .notAccepted,
        kind: "tooFewSigners",
        "\(counted.count) of \(rule.keys.count) keys signed this manifest, \(rule.threshold) needed",
        notes: counted.map { "signed by \($0)" }
          + rule.keys.filter { !counted.contains($0) }.map { "not signed by \($0)" }
      )
    case .expired(let time, let now):
      self.init(
        .notAccepted,
        kind: "expired",
        "the manifest expired at \(time)",
        notes: ["now it is \(now)"],
        helps: ["publish a new version"]
      )
    case .noEnvelope(let error): self.init(error)
    case .unusable(let error): self.init(error)
    case .badThreshold(let threshold, let keys):
      self.init(
        .usage,
        kind: "badThreshold",
        "\(threshold) signatures are needed, but there are only \(keys) keys"
      )
    case .repeatedKey(let key):
      self.init(
        .usage,
        kind: "repeatedKey",
        "\(key) is given twice; a threshold counts different keys"
      )
    default: self.init(.notAccepted, "the manifest is not accepted: \(error)")
    }
  }
}

private func named(_ claim: String) -> String { claim.isEmpty ? "a key without a name" : claim }
