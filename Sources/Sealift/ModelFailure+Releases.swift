import Installing
import Manifests
import ModelStore
import Trust
import Verification

// What stands against releases and versions.
extension ModelFailure {
  init(trust error: TrustError) {
    switch error {
    case .withdrawnManifest(_, let reason):
      self.init(
        .withdrawn,
        "The publisher has withdrawn this version of the model.",
        advice: "Install another version.",
        details: [escaped(reason)]
      )
    case .downgrade(let offered, let floor):
      self.init(
        .olderVersion,
        "Version \(offered) of the model is older than one that was used before.",
        advice: "Install version \(floor) or a newer one.",
        details: ["\(offered) is below \(floor)"]
      )
    case .replaced, .unknownFloor:
      self.init(
        .olderVersion,
        "This version of the model may not take the place of what was used before.",
        advice: "Install a newer version."
      )
    case .unusable(let problem): self = .unusableRelease([escaped(problem.text)])
    case .noEnvelope(let problem):
      self.init(
        .notTrusted,
        "What was found is not a signed description of a model.",
        advice: "Look at the address from which the model is installed.",
        details: [escaped(problem.text)]
      )
    default:
      self.init(
        .notTrusted,
        "The model is not signed by anybody whom this application trusts.",
        advice: "Do not use it; ask its publisher.",
        details: [Self.word(for: error)]
      )
    }
  }

  /// The refusal in a word, without the names that are in the envelope.
  private static func word(for error: TrustError) -> String {
    switch error {
    case .untrustedSigner: "no trusted key has signed"
    case .brokenSignature: "no signature of a trusted key matches"
    case .noCurrentSigner: "no key that signed may sign now"
    case .noRule(let model): "no rule is about \(model)"
    case .reserved(let model, _, _): "\(model) belongs to a repository"
    case .tooFewSigners(let rule, let counted, _):
      "\(counted.count) keys signed, \(rule.threshold) needed"
    case .expired(let time, let now): "expired at \(time), and it is \(now)"
    default: "refused by the trust policy"
    }
  }

  init(install error: InstallError) {
    switch error {
    case .runtime(_, let version, let verdict): self.init(version, verdict)
    case .runsCode:
      self.init(
        .runsCode,
        "Loading this model can run code that is in it, which this application does not allow.",
        advice: "Use a version of the model in another format."
      )
    case .unusable(_, _, let findings): self = .unusableRelease(findings.map { escaped($0.text) })
    case .damagedOnDisk(_, let findings):
      self.init(
        .damaged,
        "The files of the model changed on disk while they were installed.",
        advice: "Look at the disk of this machine, and try again.",
        canRetry: true,
        details: findings.map { escaped($0.text) }
      )
    case .damagedVersion(_, let findings): self = .damaged(findings.map { escaped($0.text) })
    case .otherManifest: self = .damaged(["the manifest that lies with the version is another one"])
    }
  }

  static func damaged(_ details: [String]) -> ModelFailure {
    ModelFailure(
      .damaged,
      "The files of the model on this machine are damaged.",
      advice: "Install the model again.",
      details: details
    )
  }

  private init(_ version: Version, _ verdict: RuntimeVerdict) {
    let needs = escaped(verdict.deciding.map { "\($0.requirement)" } ?? "another runtime")
    let isTooOld = verdict.state == .tooOld
    self.init(
      isTooOld ? .runtimeTooOld(needs: needs) : .runtimeUnsuitable(needs: needs),
      isTooOld
        ? "This application is too old for version \(version) of the model."
        : "This application cannot load version \(version) of the model.",
      advice: isTooOld ? "Update the application." : "Install another version of the model.",
      details: ["needs \(needs)"]
    )
  }

  init(store error: StoreError) {
    switch error {
    case .notEnoughSpace(let needed, let free):
      let missing = max(0, needed - free)
      self.init(
        .notEnoughSpace(missingBytes: missing),
        "There is not enough space on disk: \(sizeText(missing)) are missing.",
        advice: "Free \(sizeText(missing)) and try again.",
        canRetry: true,
        details: ["\(needed) bytes are needed, \(free) are free"]
      )
    case .notEnoughInodes:
      self.init(
        .notEnoughSpace(missingBytes: 0),
        "The disk has no room for more files.",
        advice: "Remove some files and try again.",
        canRetry: true
      )
    case .busy, .storeBusy, .changedMeanwhile, .inUse:
      self.init(
        .busy,
        "Another program is at work on the model.",
        advice: "Wait until it is done, and try again.",
        canRetry: true
      )
    case .noSuchModel:
      self.init(.noSuchModel, "The model is not on this machine.", advice: "Install it first.")
    case .noSuchVersion(_, let version):
      self.init(
        .noSuchVersion,
        "Version \(version) of the model is not on this machine.",
        advice: "Install it first."
      )
    default: self.init(otherStore: error)
    }
  }

  private init(otherStore error: StoreError) {
    switch error {
    case .nothingActive:
      self.init(
        .nothingActive,
        "No version of the model is in use.",
        advice: "Install or activate a version first."
      )
    case .noPrevious, .noFallback:
      self.init(
        .noPreviousVersion,
        "No version was in use before this one.",
        advice: "Install another version."
      )
    case .markedBad(_, let version, let reason):
      self.init(
        .markedBad,
        "Version \(version) of the model failed before.",
        advice: "Use another version.",
        details: [escaped(reason)]
      )
    case .damagedRecord, .damagedMarks, .damagedVersion, .swapped, .changedWhileRead:
      self = .damaged([])
    default:
      self.init(
        .storeUnusable,
        "The folder of the models cannot be used as it is.",
        advice: "Look at who owns it, and on which disk it lies."
      )
    }
  }
}
