import CommandLineKit

extension KindPage {
  /// The pages of what `export` reports.
  static let exports = [
    KindPage(
      .exportThere,
      .usage,
      means: "a file with other contents stands where one is to be written; nothing was written",
      causes: [
        "an export of another release, or by another key, into the same folder",
        "sign --emit-payload to a file that is there",
      ],
      helps: ["choose another place with --output", "export replaces it with --force"]
    ),
    KindPage(
      .unsigned,
      means: "nobody has signed the manifest that is exported",
      causes: ["export was run before sign"],
      helps: ["sign it first: sealift-publish sign MANIFEST --key FILE"]
    ),
    KindPage(
      .sharedKey,
      means: "one key signs the manifest and what is exported from it",
      causes: ["--key names the release key"],
      helps: ["make a key for exports alone: sealift-publish key new export"]
    ),
    KindPage(
      .noPieces,
      means: "a Metalink has no pieces of some files, which are verified as a whole only",
      causes: ["chunks that were cut at the edges of tensors, or a file that was declared unseen"],
      helps: ["--files DIR hashes pieces of one length from the files themselves"]
    ),
  ]
}
