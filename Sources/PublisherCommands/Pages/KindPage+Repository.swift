import CommandLineKit

extension KindPage {
  /// The pages of what only those meet who publish a repository.
  static let repository = repositoryTree + repositoryReleases + repositoryKeys + repositoryFindings

  private static let repositoryTree = [
    KindPage(
      .repositoryThere,
      .usage,
      means: "repo init makes no second repository in a folder that has one",
      causes: ["the wrong folder, or init was run before"],
      helps: ["look at it with repo status, or name another folder"]
    ),
    KindPage(
      .notARepository,
      .notFound,
      means: "the folder has no metadata/1.root.json",
      causes: ["the wrong folder, or a repository that was never finished"],
      helps: ["make one with repo init"]
    ),
    KindPage(
      .brokenRepository,
      .notAccepted,
      means: "clients would refuse the tree as it is, or as it would be; nothing was published",
      causes: [
        "a file that was lost or edited", "a role that has expired",
        "files of different states that were copied together",
      ],
      helps: ["renew what has expired with repo refresh", "bring back the whole tree from a copy"]
    ),
    KindPage(
      .publishedMeanwhile,
      .busy,
      means: "the repository is not the one any more for which a change was made",
      causes: ["a second publisher on another machine, or a tree that was copied over"],
      helps: [
        "run the command again",
        "take an outdated change back with repo sign --discard, and make it anew",
      ]
    ),
    KindPage(
      .changePending,
      .busy,
      means: "one change at a time: the one before waits for signatures",
      causes: ["a command with --stage that others have not signed yet"],
      helps: ["complete it with repo sign", "take it back with repo sign --discard"]
    ),
    KindPage(
      .nothingPending,
      .notFound,
      means: "there is nothing to sign, or not this part",
      causes: [
        "the change was published or taken back",
        "snapshot and timestamp are made when the parts before them are complete",
      ],
      helps: ["look at repo status"]
    ),
  ]

  private static let repositoryReleases = [
    KindPage(
      .otherRelease,
      .notAccepted,
      means: "the version is listed with other bytes, and a release never changes",
      causes: ["a manifest that was built or signed again after it was published"],
      helps: ["publish a new version"]
    ),
    KindPage(
      .notListed,
      .notFound,
      means: "the repository lists no such release",
      causes: ["a mistyped version, or one that was never added"],
      helps: ["add it with repo add"]
    ),
    KindPage(
      .listedElsewhere,
      means: "a release that is listed already stays in its channels",
      causes: ["repo add with another --channel than the first time"],
      helps: ["move it with repo channel"]
    ),
    KindPage(
      .withdrawnForGood,
      .notAccepted,
      means: "the release was withdrawn, and clients keep refusing it",
      causes: ["repo withdraw"],
      helps: ["publish a new version"]
    ),
    KindPage(
      .unfitPath,
      .usage,
      means:
        "a path of the repository would not mean the same to every client, server and file system",
      causes: ["signs other than letters, digits and ._+-, or two names that differ in case alone"],
      helps: ["choose another name or version"]
    ),
    KindPage(
      .noTrustPolicy,
      .notAccepted,
      .findings,
      means: "nobody says which release keys count, so clients accept nothing from the repository",
      causes: ["a tree that another program made"],
      helps: ["make a policy with repo policy DIR --trust PUB"]
    ),
    KindPage(
      .missingSource,
      .notFound,
      means: "a file that the manifest names is not in the folder of --files",
      causes: ["the wrong folder, or files that were moved since they were sealed"],
      helps: ["name the folder that was sealed"]
    ),
  ]

  private static let repositoryKeys = [
    KindPage(
      .keyInRole,
      .usage,
      means: "the key is one of the role already",
      causes: ["repo rotate was run before"],
      helps: ["leave it out, or look at repo status"]
    ),
    KindPage(
      .keyNotInRole,
      .usage,
      means: "the key that is to go is none of the role",
      causes: ["another role's key, or repo rotate was run before"],
      helps: ["look at repo status for the keys of each role"]
    ),
    KindPage(
      .missingSignatures,
      .notAccepted,
      means: "not enough of the right keys were there to sign; nothing was published",
      causes: ["a role with a threshold, or roles with different keys"],
      helps: ["name more keys", "leave the change for others with --stage and repo sign"]
    ),
    KindPage(
      .badSignatureText,
      .notAccepted,
      means:
        "a signature that came by file is not of this change, or not of a key of the repository",
      causes: ["the bytes were exported before the change was made anew", "the wrong key"],
      helps: ["export the part again, and sign that"]
    ),
    KindPage(
      .singleKey,
      means: "one key is all there is between a thief and the clients",
      causes: ["repo init with one --key"],
      helps: ["split the root off with repo rotate; clients follow by themselves"]
    ),
    KindPage(
      .noSpareKey,
      means: "the threshold of the root is as high as the number of its keys",
      causes: ["repo init or repo rotate with N of N keys"],
      helps: ["add a spare key with repo rotate, and keep it in another place"]
    ),
    KindPage(
      .partlyReplaced,
      means:
        "a thief may have signed versions far ahead, which clients hold against the right ones",
      causes: ["repo rotate --compromised without the roles timestamp and snapshot"],
      helps: ["replace the keys of timestamp and snapshot as well"]
    ),
  ]

  private static let repositoryFindings = [
    KindPage(
      .badTarget,
      .findings,
      means: "a document that the metadata lists cannot be had as it is listed",
      causes: ["a file that was lost or edited"],
      helps: [
        "bring it back from a copy; its name says its SHA-256",
        "repo refresh brings back metadata/root.json, which is a copy",
      ]
    ),
    KindPage(
      .otherManifestListed,
      .findings,
      means: "what stands in a release's place is not its manifest",
      causes: ["a tree that another program made"],
      helps: ["withdraw the release, and publish a new version"]
    ),
    KindPage(
      .refusedManifest,
      .notAccepted,
      .findings,
      means: "clients would not accept the manifest by the repository's own policy",
      causes: [
        "a release key that was removed or withdrawn, or replaced by repo policy --trust",
        "a rule for a narrower pattern, which decides alone", "a release that has expired",
      ],
      helps: [
        "withdraw the release, or trust its key with repo policy",
        "repo policy --refuse-listed publishes a policy all the same",
      ]
    ),
    KindPage(
      .unsignedPolicy,
      .notAccepted,
      .findings,
      means: "clients would refuse the trust policy, and with it every release",
      causes: [
        "whoever has the keys of targets has listed another policy",
        "the root keys changed, and the policy was not signed anew",
      ],
      helps: ["bring the whole tree back, from a copy whose policy the root keys have signed"]
    ),
    KindPage(
      .missingBlob,
      .findings,
      means: "clients have nowhere to fetch a file of the release from",
      causes: [
        "repo add without --files, and a manifest without mirrors, or whose mirrors end in /blobs/sha256/{sha256} as the "
          + "repository's own does",
        "a blob that was lost",
      ],
      helps: [
        "run repo add again with --files",
        "repo verify --blobs-elsewhere looks for no blob that a mirror has",
      ]
    ),
    KindPage(
      .wrongBlob,
      .findings,
      means: "a file under blobs/ is not the one that its name says",
      causes: ["a copy that was cut, or a medium that fails"],
      helps: ["run repo add again with --files, which replaces it"]
    ),
  ]
}
