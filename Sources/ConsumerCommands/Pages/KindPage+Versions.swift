import CommandLineKit

extension KindPage {
  /// The pages of installed versions: whether they can be used, and which one is.
  static let versions = uses + choices

  private static let uses = [
    KindPage(
      .runtime,
      .unusable,
      means: "the runtime that loads the release is not stated, or another version of it is needed",
      causes: ["sealift knows only what was stated; it looks for no programs by itself"],
      helps: [
        "sealift runtime probe PROGRAM asks a program and states what it says",
        "sealift runtime set NAME=VERSION states it for good, --runtime NAME=VERSION for once",
      ]
    ),
    KindPage(
      .format,
      .unusable,
      means: "the bytes are the signed ones, and make no model of their format",
      causes: ["the publisher sealed a wrong or damaged file"],
      helps: ["tell the publisher; another mirror would serve the same bytes"]
    ),
    KindPage(
      .damagedOnDisk,
      .localFailure,
      means: "bytes that arrived right are wrong when they are read back from disk",
      causes: ["a failing disk, memory or file system"],
      helps: ["check the disk and its file system; keep the store elsewhere until then"]
    ),
    KindPage(
      .damagedVersion,
      .wrongBytes,
      means: "a version in the store is no longer what was verified",
      causes: ["files in the store were edited or removed", "a failing disk"],
      helps: [
        "sealift repair MODEL@VERSION makes it whole; what is right is not fetched again",
        "sealift repair MODEL@VERSION --dry-run says what is wrong first",
      ]
    ),
    KindPage(
      .otherManifest,
      .notAccepted,
      means: "the folder of a version holds the manifest of another release",
      causes: ["somebody writes to the store"],
      helps: ["remove the version and install it again"]
    ),
    KindPage(
      .markedBad,
      .unusable,
      means: "a person or a failed trial has marked the version as bad",
      causes: ["sealift mark bad, or starts that were used up without a good mark"],
      helps: ["install a newer version", "sealift activate MODEL@VERSION takes the mark away"]
    ),
    KindPage(
      .probeTimeout,
      .localFailure,
      means: "a program did not tell its version in time",
      causes: ["it starts a server or waits for input when it is asked for its version"],
      helps: ["state the version yourself: sealift runtime set NAME=VERSION"]
    ),
    KindPage(
      .noVersion,
      .unusable,
      means: "a program ran and told no version",
      causes: ["it is another program than the one that was meant", "it does not know --version"],
      helps: ["state the version yourself: sealift runtime set NAME=VERSION"]
    ),
  ]

  private static let choices = [
    KindPage(
      .noSuchModel,
      .notFound,
      means: "the model is not in the store",
      causes: ["a misspelled name, or another store: --store and SEALIFT_STORE say which"],
      helps: ["sealift list shows what is there"]
    ),
    KindPage(
      .noSuchVersion,
      .notFound,
      means: "the version is not in the store",
      causes: ["it was never installed, or was removed, by hand or because no rule kept it"],
      helps: ["sealift list shows what is there", "install it from its manifest"]
    ),
    KindPage(
      .ambiguousVersion,
      .notFound,
      means: "the store holds several manifests of one version",
      causes: ["a publisher built a version twice, and both were installed"],
      helps: ["remove the version and install the right one again"]
    ),
    KindPage(
      .nothingActive,
      .notFound,
      means: "no version of the model is active",
      causes: ["it was installed with --no-activate, or its install did not end"],
      helps: ["sealift activate MODEL@VERSION makes one active"]
    ),
    KindPage(
      .noPrevious,
      .notFound,
      means: "there is no version to roll back to",
      causes: ["only one version was ever active"],
      helps: ["sealift activate MODEL@VERSION makes another one active"]
    ),
    KindPage(
      .noFallback,
      .notFound,
      means: "there is no other good version to return to",
      causes: ["a trial or a bad mark of the only version"],
      helps: [
        "install another version",
        "sealift mark good keeps a version that is on trial",
      ]
    ),
    KindPage(
      .isActive,
      .usage,
      means: "the active version is not removed alone",
      causes: ["remove was asked to take the version that programs use"],
      helps: ["activate another version first, or remove the whole model"]
    ),
    KindPage(
      .isFallback,
      .usage,
      means: "the version returns if a trial fails, and is not removed before",
      causes: ["another version is on trial"],
      helps: ["sealift mark good ends the trial"]
    ),
    KindPage(
      .inUse,
      .busy,
      means: "a process uses the version",
      causes: ["it was started by sealift exec, or holds a lease"],
      helps: ["end it first, or wait for it"]
    ),
    KindPage(
      .changedMeanwhile,
      .busy,
      means: "another process has just changed which version is active",
      causes: ["two commands about one model at the same time"],
      helps: ["look with sealift status, and decide anew"]
    ),
    KindPage(
      .noLease,
      means: "garbage collection is not told that a program uses the version",
      causes: ["the store cannot be written by this user"],
      helps: ["let a user who may write to the store start the program"]
    ),
  ]
}
