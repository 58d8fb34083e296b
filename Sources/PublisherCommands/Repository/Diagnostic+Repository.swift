import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import Trust

extension Diagnostic {
  /// Puts into words why a repository is not changed.
  init(_ problem: RepositoryProblem) {
    switch problem {
    case .alreadyThere, .notThere, .missing, .tooManyRoots, .refused, .badDocument,
      .badPolicyEnvelope,
      .unsignedPolicy, .unreadable, .unknownRole, .timestampThere, .badChange,
      .versionTaken, .publishedMeanwhile, .changePending, .changeOutdated, .nothingPending,
      .publishedAlready:
      self.init(aboutTree: problem)
    case .unexpectedSigner, .tooFewSignatures, .badImport, .noSuchDraft, .signatureDoesNotVerify,
      .alreadySigned:
      self.init(aboutSigning: problem)
    case .badThreshold, .keyThere, .keyNotThere, .nothingChanges, .foreignKey:
      self.init(aboutKeys: problem)
    default: self.init(aboutRelease: problem)
    }
  }

  private init(aboutTree problem: RepositoryProblem) {
    switch problem {
    case .alreadyThere(let path):
      self.init(
        .usage,
        kind: .repositoryThere,
        "there is a repository in \(path) already",
        helps: ["sealift-publish repo status \(path) shows it"]
      )
    case .notThere(let path):
      self.init(
        .notFound,
        kind: .notARepository,
        "there is no repository in \(path)",
        helps: ["sealift-publish repo init \(path) --key FILE makes one"]
      )
    case .missing(let file):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "the repository lacks \(file)",
        helps: Self.helps(missing: file)
      )
    case .tooManyRoots(let limit):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "more than \(limit) roots follow the pinned one, and clients take no more at once",
        helps: ["name a later root with --root"]
      )
    case .refused(let refusal, let file):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "clients would refuse this repository: \(refusal)",
        notes: ["the file is \(file)", "nothing was changed"],
        helps: Self.helps(refusal)
      )
    case .badDocument(let path, _):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "clients would not understand \(path) of the repository",
        helps: ["bring the whole tree back, from where it is served or from a copy"]
      )
    case .unreadable(let part):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "what is to be signed in \(part) cannot be shown, and is not signed",
        helps: ["repo sign --discard takes the change back"]
      )
    case .timestampThere:
      self.init(
        .usage,
        kind: .repositoryThere,
        "\(RepositoryLayout.metadata(.timestamp, 0)) is there, and is not made anew",
        helps: ["without --timestamp-above, repo refresh renews it"]
      )
    case .badChange(let file):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "the change that waits cannot be read: .sealift/pending/\(file)",
        notes: ["nothing was changed"],
        helps: ["repo sign --discard takes the change back"]
      )
    case .unknownRole(let role):
      self.init(
        .notAccepted,
        kind: .brokenRepository,
        "the change that waits has a role to which nothing delegates: \(role)",
        notes: ["it would need nobody's signature, and stay for ever; nothing was published"],
        helps: ["repo sign --discard takes the change back"]
      )
    case .unsignedPolicy(let found, let threshold):
      self.init(
        .notAccepted,
        kind: .unsignedPolicy,
        "the trust policy of the repository has \(found) of \(threshold) signatures by root keys",
        notes: [
          "clients refuse it; whoever lists targets may have put it there",
          "nothing was signed or published",
        ],
        helps: ["bring the whole tree back, from a copy that root keys have signed"]
      )
    case .badPolicyEnvelope(let error): self = Diagnostic(error).about(RepositoryPath.policy)
    case .versionTaken(let file):
      self.init(
        .busy,
        kind: .publishedMeanwhile,
        "\(file) is there with other bytes",
        notes: ["a numbered file is never changed: somebody else has published"],
        helps: [
          "run the command again", "repo sign --discard takes back a change that is outdated",
        ]
      )
    case .publishedMeanwhile(let expected, let found):
      self.init(
        .busy,
        kind: .publishedMeanwhile,
        "somebody else has published meanwhile",
        notes: ["the change was made for timestamp \(expected)", "the timestamp is \(found) now"],
        helps: [
          "run the command again", "repo sign --discard takes back a change that is outdated",
        ]
      )
    case .changePending:
      self.init(
        .busy,
        kind: .changePending,
        "a change waits for signatures, and no other can be made meanwhile",
        notes: ["repo withdraw and repo refresh alone go on beside it"],
        helps: ["repo sign adds signatures, and publishes it", "repo sign --discard takes it back"]
      )
    case .changeOutdated:
      self.init(
        .busy,
        kind: .publishedMeanwhile,
        "the change that waits is outdated: what it changes was changed meanwhile",
        notes: ["its signatures are of no use any more", "nothing was published"],
        helps: ["take it back with repo sign --discard, and make it anew"]
      )
    case .publishedAlready:
      self.init(
        .busy,
        kind: .publishedMeanwhile,
        "the change was being published when it was interrupted, and is published now",
        notes: ["what clients may have seen is not taken back"],
        helps: ["undo it by another change"]
      )
    case .nothingPending:
      self.init(.notFound, kind: .nothingPending, "no change waits for signatures")
    default: self.init(.internalError, "unexpected: \(problem)")
    }
  }

  /// Puts into words what is wrong with what is served, while the publisher's own tree may be whole.
  init(served problem: RepositoryProblem) {
    let words = Diagnostic(problem)
    let helps =
      switch problem {
      case .refused(let refusal, _) where refusal.kind == .expired || refusal.kind == .limit:
        words.helps
      case .missing, .refused, .badDocument, .badPolicyEnvelope, .unsignedPolicy:
        ["repo verify checks the folder of the publisher: copy it whole to where it is served"]
      default: words.helps
      }
    self.init(words.exitCode, kind: words.kind, words.message, notes: words.notes, helps: helps)
  }

  private static func helps(missing file: String) -> [String] {
    let whole = "bring the whole tree back, from where it is served or from a copy"
    if file == RepositoryLayout.metadata(.timestamp, 0) {
      return [
        whole,
        "or repo refresh --timestamp-above N makes it anew, N being the highest that clients saw",
      ]
    }
    return file.utf8.suffix(10).elementsEqual(".root.json".utf8)
      ? [whole, "repo refresh brings the newest root back from \(RepositoryLayout.newestRoot)"]
      : [whole]
  }

  private static func helps(_ refusal: MetadataRefusal) -> [String] {
    switch refusal.kind {
    case .expired: ["repo refresh renews what has expired, with the keys of the role"]
    case .limit: ["repo init --bins spreads the releases of a large repository"]
    default: ["bring the whole tree back, from where it is served or from a copy"]
    }
  }

  private init(aboutSigning problem: RepositoryProblem) {
    switch problem {
    case .unexpectedSigner(let key):
      self.init(
        .notAccepted,
        kind: .unexpectedKey,
        "\(key) has no say in this repository, or in this part of the change",
        notes: ["nothing was published"],
        helps: ["repo status shows whose signatures count"]
      )
    case .tooFewSignatures(let missing):
      self.init(
        .notAccepted,
        kind: .missingSignatures,
        "the change lacks signatures, and nothing was published",
        notes: missing.map(\.words),
        helps: [
          "name all keys that must sign, each with --key, --ssh-agent or --signer",
          "or leave the change for others with --stage",
        ]
      )
    case .badImport(let text):
      self.init(
        .notAccepted,
        kind: .badSignatureText,
        "the signature is not taken: \(text)",
        helps: ["sign the bytes that repo sign --export writes now"]
      )
    case .noSuchDraft(let part):
      self.init(
        .notFound,
        kind: .nothingPending,
        "the change that waits has no part \(quoted(part)) that can be signed yet",
        helps: ["repo status shows what waits"]
      )
    case .signatureDoesNotVerify(let part, let key):
      self.init(
        .notAccepted,
        kind: .badSignature,
        "the signature of \(part.word) by the key \(key.text) does not verify",
        notes: ["nothing was changed"]
      )
    case .alreadySigned(let part, let key):
      self.init(
        .usage,
        kind: .alreadySigned,
        "the key \(key.text) has already signed \(part.word)",
        notes: ["nothing was changed"]
      )
    default: self.init(.internalError, "unexpected: \(problem)")
    }
  }

  private init(aboutKeys problem: RepositoryProblem) {
    switch problem {
    case .badThreshold(let role, let threshold, let keys):
      self.init(
        .usage,
        kind: .badThreshold,
        "\(role) cannot need \(threshold) signatures with \(counted(keys, "key"))",
        helps: ["a threshold is at least 1, and at most the number of keys"]
      )
    case .keyThere(let role, let key):
      self.init(.usage, kind: .keyInRole, "\(key) is a key of \(role) already")
    case .keyNotThere(let role, let key):
      self.init(.usage, kind: .keyNotInRole, "\(key) is no key of \(role)")
    case .foreignKey(let key):
      self.init(
        .usage,
        kind: .keyInRole,
        "the root has a key that is not Ed25519, and would lose it: \(key.text)",
        helps: ["change this root with the tool that made it"]
      )
    default: self.init(.usage, "nothing would change")
    }
  }

  private init(aboutRelease problem: RepositoryProblem) {
    switch problem {
    case .otherRelease(let model, let version):
      self.init(
        .notAccepted,
        kind: .otherRelease,
        "\(model)@\(version) is listed with another manifest",
        notes: ["a release never changes once it is published"],
        helps: ["publish it as a new version"]
      )
    case .noSuchRelease(let model, let version):
      self.init(.notFound, kind: .notListed, "\(model)@\(version) is not listed in the repository")
    case .withdrawn(let model, let version, let reason):
      self.init(
        .notAccepted,
        kind: .withdrawnForGood,
        "\(model)@\(version) is withdrawn: \(reason)",
        helps: ["publish a new version; a withdrawn one never comes back"]
      )
    case .caseTwin(let path, let other):
      self.init(
        .usage,
        kind: .unfitPath,
        "\(path) differs from \(other), which is listed, in nothing but case"
      )
    case .unfitPath(let path):
      self.init(
        .usage,
        kind: .unfitPath,
        "\(quoted(path)) is no path that every client and server understands alike"
      )
    case .untrusted(let model, let error):
      self = Diagnostic(common: error, for: .publisher).about("\(model)").noting(
        "the trust policy of the repository decides; repo policy shows and changes it"
      )
    case .noPolicy:
      self.init(
        .notAccepted,
        kind: .noTrustPolicy,
        "the repository has no trust policy, so that clients accept nothing from it",
        helps: ["repo policy DIR --trust PUB makes one"]
      )
    case .policyRefuses(let refused): self.init(refused)
    case .noFile(let file, let folder):
      self.init(
        .notFound,
        kind: .missingSource,
        "there is no \(file) in \(folder)",
        helps: ["--files names the folder that was sealed"]
      )
    case .otherFile(let file, let expected, let found):
      self.init(
        .wrongBytes,
        "\(file) is not the file that the manifest names",
        notes: ["expected sha256 \(expected)", "found sha256 \(found)"]
      )
    default: self.init(.internalError, "unexpected: \(problem)")
    }
  }

  /// Names the releases that a new trust policy would refuse.
  private init(_ refused: [RefusedRelease]) {
    let shown = refused.prefix(10).map { release in
      let why = Diagnostic(common: release.why, for: .publisher)
      return "\(release.model)@\(release.version): \(why.message)"
    }
    let rest = refused.count - shown.count
    self.init(
      .notAccepted,
      kind: .refusedManifest,
      "the new policy would refuse \(counted(refused.count, "release")) that the repository lists",
      notes: shown + (rest > 0 ? ["and \(rest) more"] : []) + ["nothing was published"],
      helps: [
        "--trust replaces the keys of a pattern: name those that stay as well, or sign the releases with the new key",
        "--refuse-listed publishes it all the same",
      ]
    )
  }

  /// Tells that a role is due and was not renewed.
  init(notRenewed role: RoleName, isWaiting: Bool) {
    self.init(
      .done,
      kind: isWaiting ? .changePending : .missingSignatures,
      "\(role) ends soon, and was not renewed",
      notes: [isWaiting ? "a change waits for signatures" : "its keys are not here"],
      helps: ["repo status shows when it ends, and whose signatures it takes"]
    )
  }

  /// What someone who sets keys should know.
  init(_ advice: KeyAdvice, _ path: String) {
    switch advice {
    case .oneKey(let key):
      self.init(
        .done,
        kind: .singleKey,
        "one key does everything in this repository: whoever has it can replace all, and its loss ends it",
        notes: ["the key is \(key.fingerprint)"],
        helps: [
          "sealift-publish repo rotate \(path) root --add A.pub --add B.pub --add C.pub --remove THIS.pub --threshold 2 "
            + "--key THIS.key --key A.key --key B.key splits the root off, without a change on clients"
        ]
      )
    case .noSpareKey(let role, let keys):
      self.init(
        .done,
        kind: .noSpareKey,
        "all \(counted(keys, "key")) of \(role) must sign: the loss of one ends the repository",
        helps: ["add a key, or lower the threshold, with repo rotate"]
      )
    case .fastForward:
      self.init(
        .done,
        kind: .partlyReplaced,
        "the keys of timestamp or snapshot were not replaced",
        notes: ["clients forget versions that were wound forward only where these keys change"],
        helps: ["repo rotate DIR timestamp snapshot --add NEW.pub --remove OLD.pub --compromised"]
      )
    }
  }
}
