import CommandLineKit
import ModelStore
import SystemFiles

extension ConsumerTool {
  /// Words for what a person has to decide about versions.
  static func explainChoice(_ error: StoreError) -> Diagnostic {
    switch error {
    case .noFallback(let model):
      Diagnostic(
        .notFound,
        kind: .noFallback,
        "\(model) has no other version to return to, should its trial fail",
        helps: [
          "sealift mark good \(model) keeps a version that is on trial",
          "sealift activate \(model)@VERSION without --trial activates one for good",
        ]
      )
    case .markedBad(let model, let version, let reason):
      Diagnostic(
        .unusable,
        kind: .markedBad,
        "\(model) \(version) is marked bad",
        notes: ["reason: \(reason)"],
        helps: ["sealift activate \(model)@\(version) activates it all the same"]
      )
    case .changedMeanwhile(let model):
      Diagnostic(
        .busy,
        kind: .changedMeanwhile,
        "another process has just changed which version of \(model) is active",
        helps: ["look with sealift status \(model), and decide anew"]
      )
    case .inUse(let model, let version):
      Diagnostic(
        .busy,
        kind: .inUse,
        "a process uses \(model) \(version)",
        notes: ["it was started by sealift exec, or is an application that holds a lease"],
        helps: ["end it first"]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }

  /// Words for what is wrong with the place where a store lies.
  static func explainPlace(_ error: StoreError) -> Diagnostic {
    switch error {
    case .notAStore(let path, let found):
      Diagnostic(
        .localFailure,
        kind: .notAStore,
        "\(path) is not a store of this version of sealift",
        notes: ["found: \(found)"],
        helps: ["choose another folder with --store"]
      )
    case .unsafeOwnership(let path, let owner, let mode):
      Diagnostic(
        .localFailure,
        kind: .ownership,
        "\(path) is not yours alone",
        notes: ["it belongs to user \(owner) and has mode \(String(mode, radix: 8))"],
        helps: [
          owner == FileStatus.currentUser
            ? "own it and take write permission from others: chmod go-w"
            : "let its owner do it, or keep a store of your own with --store"
        ]
      )
    case .severalDevices(let path):
      Diagnostic(
        .localFailure,
        kind: .severalDevices,
        "\(path) is spread over several file systems",
        notes: [
          "staging, trash and versions must be on one, so that a version moves at one instant"
        ],
        helps: ["mount nothing within a store"]
      )
    case .notShared(let path, let group, let mode):
      Diagnostic(
        .localFailure,
        kind: .notShared,
        "\(path) is not shared with this group",
        notes: ["its mode is \(String(mode, radix: 8))"],
        helps: [
          "chgrp -R \(group) \(path), and chmod 2770 for its folders; or start with an empty one"
        ]
      )
    default: explainLocks(error)
    }
  }

  private static func explainLocks(_ error: StoreError) -> Diagnostic {
    switch error {
    case .storeBusy(let path):
      Diagnostic(
        .busy,
        kind: .storeBusy,
        "another process has the store \(path) for itself",
        helps: ["wait for it"]
      )
    case .uselessLocks(let path, let reason):
      Diagnostic(
        .localFailure,
        kind: .uselessLocks,
        "locks do not keep other processes out of the store",
        notes: ["lock file: \(path)"] + (reason.map { ["reason: \($0)"] } ?? []),
        helps: [
          "keep the store on a local disk, with --store",
          "if no other process changes this store, --lock=none does without locks",
        ]
      )
    default: Diagnostic(.internalError, "\(error)")
    }
  }
}
