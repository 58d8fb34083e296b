import CommandLineKit
import Manifests
import Signatures
import Trust

extension ConsumerTool {
  static func explain(_ error: TrustError) -> Diagnostic {
    switch error {
    case .untrustedSigner, .noRule, .tooFewSigners, .withdrawnManifest, .expired, .noEnvelope,
      .unusable:
      explainManifest(error)
    case .downgrade, .replaced, .unknownFloor: explainVersion(error)
    default: explainPolicy(error)
    }
  }

  private static func explainManifest(_ error: TrustError) -> Diagnostic {
    switch error {
    case .untrustedSigner(let claimed):
      Diagnostic(
        .notAccepted,
        kind: "untrustedSigner",
        "no trusted key has signed the manifest",
        notes: claimed.isEmpty
          ? ["it carries no signature"]
          : claimed.map {
            $0.isEmpty ? "a signature without a name" : "a signature says it is by \($0)"
          },
        helps: ["sealift trust list shows the trusted keys, sealift trust add adds one"]
      )
    case .noRule(let model):
      Diagnostic(
        .notAccepted,
        kind: "noRule",
        "no trusted key may sign \(model)",
        helps: ["sealift trust add KEY --models PATTERN says which keys may sign it"]
      )
    case .tooFewSigners(let rule, let counted, let ignored):
      Diagnostic(
        .notAccepted,
        kind: "tooFewSigners",
        "\(counted.count) of the \(rule.threshold) signatures needed for \(rule.models.text)",
        notes: counted.map { "signed by \($0)" } + ignored.map(words),
        helps: ["the publisher has to add signatures with sealift-publish sign"]
      )
    case .withdrawnManifest(let digest, let reason):
      Diagnostic(
        .notAccepted,
        kind: "withdrawn",
        "the release is withdrawn: \(reason)",
        notes: ["its manifest has SHA-256 \(digest)"]
      )
    case .expired(let expires, let now):
      Diagnostic(
        .notAccepted,
        kind: "expired",
        "the manifest expired at \(expires)",
        notes: ["the clock here says \(now)"]
      )
    case .noEnvelope(let problem):
      Diagnostic(
        .notAccepted,
        kind: "noEnvelope",
        problem.text,
        helps: ["a manifest is a DSSE envelope as sealift-publish writes it"]
      )
    case .unusable(let problem):
      Diagnostic(
        .unusable,
        kind: "malformed",
        "a trusted key signed this, but it is no manifest",
        notes: [problem.text],
        helps: ["tell the publisher"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }

  private static func words(_ signer: IgnoredSigner) -> String {
    let who = "\(signer.key.name) \(signer.key.fingerprint) signed too, but"
    return switch signer.reason {
    case .notInRule: "\(who) may not sign this model"
    case .withdrawn(let reason): "\(who) is withdrawn: \(reason)"
    case .ended(let time): "\(who) is not accepted after \(time)"
    }
  }

  private static func explainVersion(_ error: TrustError) -> Diagnostic {
    switch error {
    case .downgrade(let version, let floor):
      Diagnostic(
        .notAccepted,
        kind: "downgrade",
        "version \(version) is older than \(floor), active before",
        helps: ["--allow-downgrade accepts it if that is what you want"]
      )
    case .replaced(let version, let installed, let offered):
      Diagnostic(
        .notAccepted,
        kind: "replaced",
        "another manifest of version \(version) was active before",
        notes: ["installed manifest \(installed)", "offered manifest \(offered)"],
        helps: [
          "a release never changes: ask the publisher for a new version",
          "--allow-downgrade accepts it if that is what you want",
        ]
      )
    case .unknownFloor(let version):
      Diagnostic(
        .notAccepted,
        kind: "unknownFloor",
        "nobody can tell whether version \(version) is older than one that was active before",
        notes: ["the record of the highest version that was active is damaged"],
        helps: ["--allow-downgrade accepts the version and begins a new record"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }

  private static func explainPolicy(_ error: TrustError) -> Diagnostic {
    switch error {
    case .badPattern(let text):
      Diagnostic(
        .usage,
        "\"\(text)\" is not a pattern of model names",
        helps: ["one or two segments of a-z 0-9 . _ - and *, such as lfm2-* or acme/*"]
      )
    case .badThreshold(let threshold, let keys):
      Diagnostic(.usage, "\(threshold) signatures cannot be asked of \(keys) different keys")
    case .repeatedPattern(let models):
      Diagnostic(.usage, kind: "policy", "the trust policy has two rules for \(models.text)")
    case .repeatedKey(let key):
      Diagnostic(.usage, kind: "policy", "the trust policy has the key \(key) twice")
    case .unknownKey(let key, let models):
      Diagnostic(
        .usage,
        kind: "policy",
        "the trust policy lacks the key \(key) of its rule \(models.text)"
      )
    case .withdrawnKey(let key, let reason):
      Diagnostic(.notAccepted, kind: "withdrawn", "the key \(key) is withdrawn: \(reason)")
    case .noSuchRule(let models):
      Diagnostic(
        .notFound,
        kind: "noSuchRule",
        "there is no rule for \(models.text)",
        helps: ["sealift trust list shows the rules"]
      )
    case .noSuchKey(let key):
      Diagnostic(
        .notFound,
        kind: "noSuchKey",
        "the key \(key) is not trusted",
        helps: ["sealift trust list shows the keys"]
      )
    case .badPolicy(let place, let problem):
      Diagnostic(.usage, kind: "policy", "the trust policy is malformed: \(place) \(problem)")
    default: Diagnostic(.internalError, "\(error)")
    }
  }
}
