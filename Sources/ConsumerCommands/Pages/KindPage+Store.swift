import CommandLineKit

extension KindPage {
  /// The pages of the store: its place, and what is damaged in it.
  static let store = places + damage + repairs

  private static let places = [
    KindPage(
      .ownership,
      .localFailure,
      means: "others could change a file or folder that decides what is trusted",
      causes: ["it belongs to another user, or its mode lets others write"],
      helps: ["own it and take write permission from others: chmod go-w"]
    ),
    KindPage(
      .notAStore,
      .localFailure,
      means: "the folder is not a store of this version of sealift",
      causes: ["--store names a folder of something else", "a newer sealift made it"],
      helps: ["choose another folder with --store, or use the newer sealift"]
    ),
    KindPage(
      .severalDevices,
      .localFailure,
      means: "the store is spread over several file systems",
      causes: ["a folder within it is a mount, so a version cannot move at one instant"],
      helps: ["mount nothing within a store"]
    ),
    KindPage(
      .notShared,
      .localFailure,
      means: "the store is not shared with the group that --shared names",
      causes: ["it was made without --shared, or with another group"],
      helps: ["the message names the commands that share it; or start with an empty store"]
    ),
    KindPage(
      .storeBusy,
      .busy,
      means: "another process has the whole store for itself",
      causes: ["a repair of the store is at work"],
      helps: ["wait for it"]
    ),
    KindPage(
      .uselessLocks,
      .localFailure,
      means: "locks do not keep other processes out of the store",
      causes: ["a network or user file system without locks"],
      helps: [
        "keep the store on a local disk", "--lock=none does without, for one process at a time",
      ]
    ),
    KindPage(
      .noLocks,
      means: "nothing keeps other processes out of the store",
      causes: ["--lock=none was given"],
      helps: ["make sure that one process at a time changes the store; gc keeps every version"]
    ),
    KindPage(
      .networkFileSystem,
      means: "the store lies on a network file system",
      causes: ["a home folder on a server"],
      helps: ["keep the store on a local disk, with --store"]
    ),
    KindPage(
      .oddEntry,
      .localFailure,
      means: "something among the folders of the models is none",
      causes: ["a file that was put there by hand or by another program"],
      helps: ["move it away; if it was a model, install that again"]
    ),
  ]

  private static let damage = [
    KindPage(
      .damagedRecord,
      .localFailure,
      means: "a record of a model cannot be read, so nobody knows what may be changed",
      causes: ["a failing disk, a restored backup, or a hand in the store"],
      helps: [
        "sealift doctor --fix writes a new one if it is plain which version was active",
        "sealift activate MODEL@VERSION writes a new one with the version that you choose",
      ]
    ),
    KindPage(
      .damagedMarks,
      .localFailure,
      means: "the list of pins or of bad versions cannot be read",
      causes: ["a failing disk, or a hand in the store"],
      helps: ["sealift doctor --fix removes it; pin or mark the versions again"]
    ),
    KindPage(
      .damagedFloor,
      .findings,
      means: "the record of the highest version that was active cannot be read",
      causes: ["a failing disk, or a hand in the store"],
      helps: ["sealift activate MODEL@VERSION --allow-downgrade begins a new one"]
    ),
    KindPage(
      .swapped,
      .wrongBytes,
      means: "a file was exchanged between its verification and its use",
      causes: ["another program writes to the store, perhaps on purpose"],
      helps: ["find out who writes to the store", "install the version again"]
    ),
    KindPage(
      .changedWhileRead,
      .localFailure,
      means: "files of a version changed while they were read",
      causes: ["another program writes to the store"],
      helps: ["find out who writes to the store, and run the same command again"]
    ),
  ]

  private static let repairs = [
    KindPage(
      .rollBack,
      means: "the active version was damaged, and the one before it is active again",
      causes: ["files in the store were changed, or the disk fails"],
      helps: [
        "sealift repair MODEL@VERSION makes it whole; sealift activate MODEL@VERSION returns to it"
      ]
    ),
    KindPage(
      .endTrial,
      means: "a version on trial was marked bad, and the one before it is active again",
      causes: ["its starts were used up, and nobody marked it good"],
      helps: ["find out why it failed; sealift mark good in time keeps a version"]
    ),
    KindPage(
      .discard,
      means: "a damaged version was moved to the trash",
      causes: ["files in the store were changed, or the disk fails"],
      helps: ["install the version again from its manifest, if it is needed"]
    ),
    KindPage(
      .writeRecord,
      means: "the record of which version is active was lost, and was written anew",
      causes: ["a failing disk, or a hand in the store"],
      helps: ["look with sealift status whether the right version is active"]
    ),
  ]
}
