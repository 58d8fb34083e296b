import CommandLineKit

extension KindPage {
  /// The pages of what only `sealift-publish` reports.
  static let publishing =
    entries + places + mirrors + runtimes + mirrorCheck + exports + repository

  private static let entries = [
    KindPage(
      .noFiles,
      .usage,
      means: "the folder has no file to seal",
      causes: ["the wrong folder, or a download that did not begin"],
      helps: ["name the folder with the files of the model"]
    ),
    KindPage(
      .unfitFiles,
      .usage,
      .unusable,
      means: "several entries of the folder cannot be in a release; each is named",
      causes: ["links, hidden files, names that no release may have, or files that are no models"],
      helps: ["leave them out with --exclude PATTERN, or name the files one by one"]
    ),
    KindPage(
      .specialFile,
      .usage,
      means: "a device, a pipe or a socket cannot be in a release",
      causes: ["a folder of a running program"],
      helps: ["leave it out: copy the files to a clean folder"]
    ),
    KindPage(
      .hiddenFile,
      .usage,
      means: "a file whose name starts with a dot cannot be in a release",
      causes: ["a clone of a repository, with .git and .gitattributes"],
      helps: ["leave them out with --exclude PATTERN, or name the files one by one"]
    ),
    KindPage(
      .badName,
      .usage,
      means: "a file has a name that no release may have",
      causes: [
        "letters beyond ASCII, a space or dot at the end, or two names that differ in case only"
      ],
      helps: ["rename it: letters, digits and ._+@=,()[] - are allowed"]
    ),
    KindPage(
      .emptyFolder,
      .usage,
      means: "a release has files only, and the folder is empty",
      causes: ["an incomplete copy"],
      helps: ["remove the folder, or put its files in"]
    ),
    KindPage(
      .licenseNotSPDX,
      means:
        "the licence is not an SPDX expression, so programs that check licences cannot read it",
      causes: [
        "a name in words, such as Apache 2.0, or one of a model hub that SPDX does not have"
      ],
      helps: [
        "write an identifier of spdx.org/licenses, such as Apache-2.0",
        "write any other licence as LicenseRef-NAME",
      ]
    ),
    KindPage(
      .runsCode,
      means: "loading a file of the release can run code that is in it",
      causes: ["--allow-pickle was given for a pickle"],
      helps: ["publish safetensors, GGUF or ONNX instead; clients refuse such files by default"]
    ),
  ]

  private static let places = [
    KindPage(
      .manifestInsideRelease,
      .usage,
      means: "the manifest would lie in the folder that it seals",
      causes: ["--output names a file there, or the folder is the current one"],
      helps: ["write it elsewhere with --output FILE"]
    ),
    KindPage(
      .signedManifestThere,
      .usage,
      means: "the file holds a signed manifest of another release; nothing was changed",
      causes: ["files were changed under a version that is signed"],
      helps: ["a release is immutable: give this one a new version, or remove the file"]
    ),
    KindPage(
      .otherFileThere,
      .usage,
      means: "a file that is no manifest stands where one is to be written",
      causes: ["--output names a file of something else"],
      helps: ["choose another file with --output"]
    ),
    KindPage(
      .manifestChanged,
      .busy,
      means: "somebody else changed the manifest meanwhile; nothing was written",
      causes: ["two people or jobs sign the same file at once"],
      helps: ["run the command again"]
    ),
    KindPage(
      .keyThere,
      .usage,
      means: "a key of that name exists, and keys are never overwritten",
      causes: ["the command was run twice"],
      helps: ["choose another name or folder, or move the old files away"]
    ),
    KindPage(
      .otherPublicKey,
      .usage,
      means: "the public key beside a private key belongs to another one",
      causes: ["one half of a pair was replaced"],
      helps: ["put the halves of one pair beside each other"]
    ),
    KindPage(
      .plainKey,
      means: "the private key is not encrypted: whoever reads the file can sign",
      causes: ["--no-passphrase was given"],
      helps: ["keep it where only the release job can read it, or set one with key passphrase"]
    ),
    KindPage(
      .weakEncryption,
      means: "passphrases for the key are tried fast by whoever has the file",
      causes: ["openssl encrypts with 2,048 rounds of PBKDF2 unless it is told otherwise"],
      helps: ["key passphrase encrypts it anew, with scrypt; key import does so for a copy of DER"]
    ),
    KindPage(
      .openFolder,
      means: "other users can put other keys in the place of those in the folder",
      causes: ["the folder can be written by a group or by everybody"],
      helps: ["chmod go-w the folder"]
    ),
    KindPage(
      .leftOver,
      means: "a copy of a private key lies there that an interrupted run has left",
      causes: ["key passphrase was killed, or the power failed"],
      helps: ["see that the key itself opens, then remove the copy; the next run does so too"]
    ),
  ]

  private static let mirrors = [
    KindPage(
      .noMirror,
      .usage,
      means: "the release names no mirror, so whoever installs it has to",
      causes: ["--mirror was left out", "a file has no http or https mirror for a Metalink"],
      helps: ["--mirror 'https://HOST/PATH/{name}' names one"]
    ),
    KindPage(
      .mirrorOfOneFile,
      .usage,
      means: "the template of a mirror gives several files the same URL",
      causes: ["{name} or {sha256} is missing in the template"],
      helps: ["put {name} or {sha256} where the URLs differ"]
    ),
    KindPage(
      .plainHTTP,
      means: "a mirror is not encrypted: others can see and stop a download, not change it",
      causes: ["a template that begins with http:"],
      helps: ["use https where the host offers it"]
    ),
    KindPage(
      .mutableMirror,
      means: "a mirror names a state that moves, such as a branch",
      causes: ["resolve/main, latest, or another name of what is current"],
      helps: ["name a commit, a tag that never moves, or {sha256}"]
    ),
    KindPage(
      .publishedSecret,
      .usage,
      means:
        "what is to be published has a private key in it, or a mirror's URL a parameter that looks like a token",
      causes: [
        "a signed URL, or one with ?token=, was copied from a browser or a service",
        "a private key lies in the folder of the release",
      ],
      helps: [
        "name a URL that anybody may ask, and let clients bring their own token: sealift install --tokens FILE",
        "keep keys outside of the folder, or leave them out: sealift-publish build --exclude PATTERN",
        "withdraw a token or a key that was published before",
      ]
    ),
  ]

  private static let runtimes = [
    KindPage(
      .declaredInOtherScheme,
      .unusable,
      means: "a runtime is stated in one way of counting versions, and the bytes need another",
      causes: ["a semantic version for a runtime that counts builds, or the other way round"],
      helps: ["state it as the message shows"]
    ),
    KindPage(
      .runtimesExclude,
      .unusable,
      means: "no version of a runtime has all that the files need",
      causes: ["one file needs what was added after another's was dropped"],
      helps: ["convert the older file again, or make a release of each"]
    ),
    KindPage(
      .unknownRuntime,
      .unusable,
      means: "the bytes do not tell from which version on a runtime loads them",
      causes: ["a format or a part of it that this tool cannot judge"],
      helps: ["state what loads it, as --runtime llama.cpp:b10600 or onnxruntime:1.18.0"]
    ),
    KindPage(
      .severalRuntimes,
      means: "no one runtime loads all files, so a client must have several",
      causes: ["one release holds the same model in several formats"],
      helps: ["say so with --any-runtime, or make a release of each"]
    ),
  ]
}
