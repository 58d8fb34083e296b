import CommandLineKit

extension KindPage {
  /// The pages of what an audit finds, beside those of files against their manifest.
  static let audit = auditOfFiles + auditOfTrust + auditOfState

  private static let auditOfFiles = [
    KindPage(
      .wrongMode,
      .findings,
      means: "an installed file or folder has other permission bits than the store gives",
      causes: ["a chmod, or a copy of the store that did not keep modes"],
      helps: ["find out who changed them: a file that can be written can be changed"]
    ),
    KindPage(
      .wrongOwner,
      .findings,
      means: "an installed file belongs to another user than the store",
      causes: ["a copy as another user, or a chown"],
      helps: ["find out who owns it: an owner can change a file whatever its mode"]
    ),
    KindPage(
      .hardlinkedElsewhere,
      .findings,
      means: "an installed file has a second name, under which it can be changed unseen",
      causes: ["a backup or a tool that links equal files together", "cp -l or ln"],
      helps: ["find the other name: find -inum, on the same file system"]
    ),
    KindPage(
      .unstableRead,
      .findings,
      means: "two reads of the same bytes from the medium gave different results",
      causes: ["a failing disk, cable, controller or memory; no change of the file"],
      helps: ["check the disk and the memory before anything is written again"]
    ),
  ]

  private static let auditOfTrust = [
    KindPage(
      .manifestInvalid,
      .findings,
      means: "the manifest of an installed version cannot be read, or is another version's",
      causes: ["damage to manifest.json in the store", "--manifests names a folder without it"],
      helps: ["install the version again from its manifest"]
    ),
    KindPage(
      .signatureUntrusted,
      .findings,
      means: "the policy would not accept the manifest of an installed version now",
      causes: ["a key or rule that was removed", "an audit by another policy, with --trust"],
      helps: ["sealift trust check MANIFEST explains which rule decides, and why"]
    ),
    KindPage(
      .keyRevoked,
      .findings,
      means: "a key that signed an installed version is withdrawn, and the others are too few",
      causes: ["sealift trust withdraw, after a key was lost or stolen"],
      helps: ["install a version that other keys have signed"]
    ),
    KindPage(
      .keyExpired,
      .findings,
      means: "a key had ended when the version that it signed was first accepted",
      causes: ["a key whose end was set later than the version was installed", "a wrong clock"],
      helps: ["install a version that a current key has signed"]
    ),
    KindPage(
      .manifestWithdrawn,
      .findings,
      means: "the manifest of an installed version is withdrawn",
      causes: ["sealift trust withdraw, after a release was found to be bad"],
      helps: ["install another version, or go back to one: sealift rollback MODEL"]
    ),
    KindPage(
      .expiredManifest,
      .findings,
      means: "an installed version is past the time that its manifest states as its end",
      causes: ["no newer version was installed in time", "a wrong clock, or --at"],
      helps: ["install a newer version"]
    ),
    KindPage(
      .belowFloor,
      .findings,
      means: "the active version is lower than the highest that was ever active and good",
      causes: [
        "somebody went back and further back",
        "an old record that was put in the place of the present one",
      ],
      helps: [
        "sealift status MODEL shows the records; install the newest version again",
        "sealift mark good MODEL --lower-floor says that the lower version is meant; audits are content then",
      ]
    ),
  ]

  private static let auditOfState = [
    KindPage(
      .exportThere,
      .usage,
      means: "what stands where --output points must not be replaced by a report; nothing was read",
      causes: [
        "a device, a pipe or a folder at that path",
        "a key, a manifest or a policy there, or the report that the new one follows",
      ],
      helps: ["choose another place with --output, or none for standard output"]
    ),
    KindPage(
      .runtimeTooOld,
      .findings,
      means: "the stated runtime is older than the active version needs",
      causes: ["the runtime was replaced by an older one, or stated wrongly"],
      helps: ["sealift runtime set NAME=VERSION states the one that is there"]
    ),
    KindPage(
      .runtimeUnsuitable,
      .findings,
      means: "the stated runtime does not suit the active version",
      causes: ["a runtime that is too new or excluded, or another than those that load it"],
      helps: ["sealift runtime list shows what is stated"]
    ),
    KindPage(
      .runtimeUnknown,
      means: "nobody states the version of a runtime that the active version needs",
      causes: ["it was stated for one install alone, with --runtime"],
      helps: ["sealift runtime set NAME=VERSION states it for every command"]
    ),
    KindPage(
      .recordMismatch,
      .findings,
      means: "the records of the store contradict each other, or what lies on disk",
      causes: [
        "a hand in the store, or a backup of some of its files",
        "a process that was killed before it was done",
      ],
      helps: ["sealift doctor MODEL says what it comes to"]
    ),
    KindPage(
      .recordDamaged,
      .findings,
      means: "a record of the store is there and cannot be read",
      causes: ["a failing disk, or a hand in the store"],
      helps: ["sealift doctor MODEL says what it comes to"]
    ),
    KindPage(
      .unregisteredVersion,
      .findings,
      means: "a version lies in the store that was never verified to its end there",
      causes: ["a folder that was copied into the store", "a stamp that was lost"],
      helps: ["sealift doctor MODEL says what it comes to"]
    ),
    KindPage(
      .stampMismatch,
      .findings,
      means: "files of a version, or their folders, were touched since they were verified",
      causes: [
        "a program that wrote, renamed, linked or chmodded them",
        "a store that was copied or restored",
      ],
      helps: ["a full audit says whether the bytes are still right"]
    ),
    KindPage(
      .changedDuringAudit,
      .findings,
      means: "another process changed the model while it was audited",
      causes: ["an install, a rollback or garbage collection beside the audit, which is no damage"],
      helps: ["run the audit again if it must know the present state"]
    ),
    KindPage(
      .notChecked,
      means: "the audit did not look at something, and says nothing of it",
      causes: ["there was no manifest to compare with"],
      helps: ["see what else is said of the same version"]
    ),
    KindPage(
      .auditUnfinished,
      .localFailure,
      means: "an audit did not come to its end, so what it found may not be all",
      causes: [
        "its deadline",
        "a record, a folder or a file that could not be read, such as another user's",
      ],
      helps: [
        "--resume with the place that was printed goes on",
        "see the notes for what could not be read",
      ]
    ),
  ]
}
