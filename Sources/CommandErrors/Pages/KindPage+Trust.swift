import CommandLineKit

extension KindPage {
  /// The pages of manifests and of who may sign them.
  static let trust = manifests + signers + versions + policies

  private static let manifests = [
    KindPage(
      .noManifest,
      .notAccepted,
      means: "the file is no manifest, so nobody can have signed it",
      causes: ["a page of an error in its place, a model file, or a file that was cut off"],
      helps: [
        "fetch the manifest again", "a manifest is a DSSE envelope as sealift-publish writes it",
      ]
    ),
    KindPage(
      .badManifest,
      .unusable,
      means: "the manifest is signed, and what was signed is malformed",
      causes: ["it was made by another tool or by hand", "it needs a newer version of this tool"],
      helps: ["use a newer version of this tool", "tell the publisher to build the release again"]
    ),
    KindPage(
      .noRelease,
      .usage,
      means: "what was given does not make a release",
      causes: ["two files with one name, no files at all, or values that exclude each other"],
      helps: ["the message names what is wrong; correct it on the command line"]
    ),
    KindPage(
      .alreadySigned,
      .usage,
      means: "this key has signed the manifest before; nothing was changed",
      causes: ["the command was run twice"],
      helps: ["sign with another key, or go on and publish"]
    ),
    KindPage(
      .tooManySignatures,
      .usage,
      means: "the manifest has as many signatures as one may have",
      causes: ["a script that signs again and again with new keys"],
      helps: ["build the manifest again and sign it with the keys that clients trust"]
    ),
  ]

  private static let signers = [
    KindPage(
      .untrustedSigner,
      .notAccepted,
      means: "no trusted key has signed the manifest",
      causes: [
        "the publisher's key was not added, or was changed",
        "the manifest was not signed yet",
        "somebody else made the manifest",
      ],
      helps: [
        "sealift trust list shows the trusted keys, sealift trust add adds one",
        "compare fingerprints over a way that the mirror does not control",
      ]
    ),
    KindPage(
      .brokenSignature,
      .notAccepted,
      means: "the manifest names a trusted key, whose signature does not match these bytes",
      causes: ["the manifest was changed after it was signed, on purpose or by a broken transfer"],
      helps: ["get it again from the publisher; tell the publisher if that does not help"]
    ),
    KindPage(
      .noCurrentSigner,
      .notAccepted,
      means: "every trusted key that signed the manifest has ended, is withdrawn or is export-only",
      causes: ["an old release, or a key that was replaced", "a key that signs SHA256SUMS alone"],
      helps: ["ask for a manifest that a current key has signed"]
    ),
    KindPage(
      .noRule,
      .notAccepted,
      means: "no rule of the trust policy says who may sign this model",
      causes: ["the pattern of the rule does not match: * never crosses a /"],
      helps: ["sealift trust add KEY --models PATTERN says which keys may sign it"]
    ),
    KindPage(
      .tooFewSigners,
      .notAccepted,
      means: "fewer keys have signed the manifest than the rule demands",
      causes: ["not everybody has signed yet", "one key under two names counts once"],
      helps: ["the publisher has to add signatures with sealift-publish sign"]
    ),
    KindPage(
      .withdrawn,
      .notAccepted,
      means: "the key or the release is withdrawn; the message says why",
      causes: ["the publisher or a person here found a reason not to use it any more"],
      helps: ["install a version that is not withdrawn"]
    ),
    KindPage(
      .expired,
      .notAccepted,
      means: "the manifest has expired, by the clock of this machine",
      causes: ["the publisher set an end, and it has come", "a clock that is wrong"],
      helps: ["get a newer version", "look at the clock: the notes say what it shows"]
    ),
  ]

  private static let versions = [
    KindPage(
      .downgrade,
      .notAccepted,
      means: "the version is older than one that was active before",
      causes: ["an old manifest or link, or a mirror that holds users back on purpose"],
      helps: [
        "install the newest version",
        "sealift rollback returns to the version before; --allow-downgrade accepts any",
      ]
    ),
    KindPage(
      .replaced,
      .notAccepted,
      means: "another manifest of the same version was active before, and a release never changes",
      causes: ["the publisher built the version a second time", "somebody else did"],
      helps: ["ask the publisher for a new version", "--allow-downgrade accepts it all the same"]
    ),
    KindPage(
      .unknownFloor,
      .notAccepted,
      means: "the record of the highest version that was active is damaged",
      causes: ["a failing disk, or somebody who writes to the store"],
      helps: ["--allow-downgrade accepts the version and begins a new record"]
    ),
  ]

  private static let policies = [
    KindPage(
      .policy,
      .usage,
      means: "the trust policy contradicts itself or cannot be read",
      causes: ["trust.json was edited by hand"],
      helps: ["correct the file, or move it away and add the keys again"]
    ),
    KindPage(
      .badThreshold,
      .usage,
      means: "more signatures are demanded than there are different keys",
      causes: ["one key was given twice under two names, or --threshold is too high"],
      helps: ["name more keys, or lower --threshold"]
    ),
    KindPage(
      .repeatedKey,
      .usage,
      means: "one key is given twice, and a threshold counts different keys",
      causes: ["two files hold the same key"],
      helps: ["name each key once; key show prints fingerprints"]
    ),
    KindPage(
      .noSuchRule,
      .notFound,
      means: "the trust policy has no rule for that pattern",
      causes: ["a misspelled pattern: it must be the one that the rule was made with"],
      helps: ["sealift trust list shows the rules"]
    ),
    KindPage(
      .noSuchKey,
      .notFound,
      means: "the key is not in the trust policy",
      causes: ["another key than the one that was added"],
      helps: ["sealift trust list shows the keys"]
    ),
    KindPage(
      .exportKeyInRule,
      .usage,
      means: "an export-only key signs no manifest, so no rule may name it",
      causes: ["one key is used for exports and for releases"],
      helps: [
        "use a key of its own for each",
        "sealift trust remove FINGERPRINT forgets the key, and then it may be added for the other use",
      ]
    ),
    KindPage(
      .notWithdrawn,
      .notFound,
      means: "what was to be taken back is not withdrawn",
      causes: ["it was taken back before, or another key or manifest is meant"],
      helps: ["sealift trust list shows what is withdrawn"]
    ),
    KindPage(
      .unmetRule,
      means: "a rule accepts nothing, since fewer of its keys count than it demands",
      causes: ["keys of the rule are withdrawn or have ended"],
      helps: [
        "sealift trust show PATTERN says which keys count", "sealift trust add replaces the rule",
      ]
    ),
    KindPage(
      .noLongerAccepted,
      means: "a change of trust leaves a version active that would not be accepted any more",
      causes: ["its key or its manifest was withdrawn, or its rule was removed or replaced"],
      helps: [
        "install another version; this one stays installed and active until then",
        "sealift remove MODEL takes it away",
      ]
    ),
    KindPage(
      .unknownAcceptance,
      means: "nobody knows whether an active version would be accepted after a change of trust",
      causes: ["the store, or the manifest in it, cannot be read"],
      helps: ["sealift doctor says what is wrong with the store"]
    ),
    KindPage(
      .otherRulesChanged,
      means: "the name or the end of a key was stated, and other rules name the same key",
      causes: [
        "trust add with --name or --not-after for a key that was added for other models before"
      ],
      helps: [
        "sealift trust show FINGERPRINT says what holds of the key now",
        "sealift trust add KEY --models PATTERN --not-after never takes an end away",
      ]
    ),
  ]
}
