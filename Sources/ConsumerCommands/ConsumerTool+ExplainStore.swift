import CommandLineKit
import Manifests
import ModelStore

extension ConsumerTool {
  static func explain(_ error: StoreError) -> Diagnostic {
    switch error {
    case .noSuchModel, .noSuchVersion, .ambiguousVersion, .nothingActive, .noPrevious, .isActive,
      .isFallback:
      explainAbsence(error)
    case .noFallback, .markedBad, .changedMeanwhile, .inUse:
      explainChoice(error)
    case .notAStore, .unsafeOwnership, .storeBusy, .uselessLocks, .severalDevices, .notShared:
      explainPlace(error)
    case .busy(let model):
      Diagnostic(
        .busy,
        "another process is at work on \(model)",
        helps: ["wait for it, or look with sealift status"]
      )
    case .notEnoughSpace(let needed, let free):
      Diagnostic(
        .localFailure,
        kind: .noSpace,
        "not enough space on the disk of the store",
        notes: ["needed: \(exactBytesText(needed))", "free: \(exactBytesText(free))"],
        helps: ["free \(exactBytesText(needed - free)), or choose another place with --store"]
      )
    case .notEnoughInodes(let needed, let free):
      Diagnostic(
        .localFailure,
        kind: .noSpace,
        "not enough inodes on the disk of the store",
        notes: ["needed: \(needed)", "free: \(free)"]
      )
    default: explainDamage(error)
    }
  }

  private static func explainAbsence(_ error: StoreError) -> Diagnostic {
    switch error {
    case .noSuchModel(let model):
      Diagnostic(
        .notFound,
        kind: .noSuchModel,
        "\(model) is not in the store",
        helps: ["sealift list shows what is"]
      )
    case .noSuchVersion(let model, let version):
      Diagnostic(
        .notFound,
        kind: .noSuchVersion,
        "\(model) \(version) is not in the store",
        helps: ["sealift list shows what is"]
      )
    case .ambiguousVersion(let model, let names):
      Diagnostic(
        .notFound,
        kind: .ambiguousVersion,
        "\(model) has several manifests of this version",
        notes: names.map(\.text),
        helps: ["remove the version and install the right one again"]
      )
    case .nothingActive(let model):
      Diagnostic(
        .notFound,
        kind: .nothingActive,
        "no version of \(model) is active",
        helps: ["sealift activate \(model)@VERSION makes one active"]
      )
    case .noPrevious(let model):
      Diagnostic(
        .notFound,
        kind: .noPrevious,
        "no other version of \(model) was active before",
        helps: ["sealift activate \(model)@VERSION makes another one active"]
      )
    case .isActive(let model, let version):
      Diagnostic(
        .usage,
        kind: .isActive,
        "\(model) \(version) is active and is not removed alone",
        helps: ["activate another version first, or remove the whole model"]
      )
    case .isFallback(let model, let version, let trial):
      Diagnostic(
        .usage,
        kind: .isFallback,
        "\(model) \(version) returns if the trial of \(trial) fails, and is not removed before",
        helps: ["sealift mark good \(model) ends the trial, or remove the whole model"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }

  private static func explainDamage(_ error: StoreError) -> Diagnostic {
    switch error {
    case .damagedRecord(let model, let choices):
      Diagnostic(
        .localFailure,
        kind: .damagedRecord,
        "the active record of \(model) cannot be read",
        notes: ["it is active.json in the folder of the model; nothing was deleted"]
          + choices.map { "there is version \($0.version)" },
        helps: [
          "sealift doctor --fix writes a new one if it is plain which version was active",
          "sealift activate \(model)@VERSION writes a new one with the version that you choose",
        ]
      )
    case .damagedMarks(let model, let file):
      Diagnostic(
        .localFailure,
        kind: .damagedMarks,
        "\(file) of \(model) cannot be read",
        helps: ["sealift doctor --fix removes it; pin or mark the versions again"]
      )
    case .swapped(let path):
      Diagnostic(
        .wrongBytes,
        kind: .swapped,
        "\(path) was exchanged after it was verified",
        helps: ["find out who else writes to the store"]
      )
    case .changedWhileRead(let name):
      Diagnostic(
        .localFailure,
        kind: .changedWhileRead,
        "files of version \(name.version) changed while they were read",
        helps: ["find out who else writes to the store, and run the same command again"]
      )
    case .damagedVersion(let name):
      Diagnostic(
        .wrongBytes,
        kind: .damagedVersion,
        "version \(name.version) has no manifest",
        helps: ["install it again from its manifest"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }
}
