import CommandLineKit
import Manifests
import Signatures
import Trust

extension Diagnostic {
  init(aboutVersion error: TrustError) {
    switch error {
    case .downgrade(let version, let floor):
      self.init(
        .notAccepted,
        kind: .downgrade,
        "version \(version) is older than \(floor), active before",
        helps: ["--allow-downgrade accepts it if that is what you want"]
      )
    case .replaced(let version, let installed, let offered):
      self.init(
        .notAccepted,
        kind: .replaced,
        "another manifest of version \(version) was active before",
        notes: ["installed manifest \(installed)", "offered manifest \(offered)"],
        helps: [
          "a release never changes: ask the publisher for a new version",
          "--allow-downgrade accepts it if that is what you want",
        ]
      )
    case .unknownFloor(let version):
      self.init(
        .notAccepted,
        kind: .unknownFloor,
        "nobody can tell whether version \(version) is older than one that was active before",
        notes: ["the record of the highest version that was active is damaged"],
        helps: ["--allow-downgrade accepts the version and begins a new record"]
      )
    default: self.init(unknown: error)
    }
  }

  init(aboutPolicy error: TrustError) {
    switch error {
    case .badPattern(let text):
      self.init(
        .usage,
        "\(quoted(text)) is not a pattern of model names",
        helps: [
          "one or two segments of a-z 0-9 . _ - and *, such as lfm2-* or acme/*",
          "a * never crosses a /, no two stand together, and some model can have a name that matches",
        ]
      )
    case .badThreshold(let threshold, let keys):
      self.init(
        .usage,
        kind: .badThreshold,
        "\(threshold) signatures are needed, but there are only \(keys) different keys"
      )
    case .repeatedPattern(let models):
      self.init(.usage, kind: .policy, "the trust policy has two rules for \(models.text)")
    case .repeatedKey(let key):
      self.init(
        .usage,
        kind: .repeatedKey,
        "\(key) is given twice; a threshold counts different keys"
      )
    case .unknownKey(let key, let models):
      self.init(
        .usage,
        kind: .policy,
        "the trust policy lacks the key \(key) of its rule \(models.text)"
      )
    case .withdrawnKey(let key, let reason):
      self.init(
        .notAccepted,
        kind: .withdrawn,
        "the key \(key) is withdrawn: \(reason)",
        helps: ["sealift trust withdraw \(key) --undo takes that back"]
      )
    case .exportKeyInRule(let key, let models):
      self.init(
        .usage,
        kind: .exportKeyInRule,
        "the key \(key) cannot be export-only and sign manifests of \(models.text) too",
        helps: ["sealift trust remove \(key) forgets what was said of it"]
      )
    case .noSuchRule(let models):
      self.init(
        .notFound,
        kind: .noSuchRule,
        "there is no rule for \(models.text)",
        helps: ["sealift trust list shows the rules"]
      )
    case .noSuchKey(let key):
      self.init(
        .notFound,
        kind: .noSuchKey,
        "the key \(key) is not trusted",
        helps: ["sealift trust list shows the keys"]
      )
    case .keyNotWithdrawn(let key):
      self.init(
        .notFound,
        kind: .notWithdrawn,
        "the key \(key) is not withdrawn",
        helps: ["sealift trust list shows what is withdrawn"]
      )
    case .manifestNotWithdrawn(let digest):
      self.init(
        .notFound,
        kind: .notWithdrawn,
        "the manifest with SHA-256 \(digest) is not withdrawn",
        helps: ["sealift trust list shows what is withdrawn"]
      )
    case .badPolicy(let place, let problem):
      self.init(.usage, kind: .policy, "the trust policy is malformed: \(place) \(problem)")
    default: self.init(unknown: error)
    }
  }

  init(unknown error: TrustError) {
    self.init(
      .internalError,
      "unexpected: \(error)",
      helps: ["this is a mistake in the program; please report it"]
    )
  }
}
