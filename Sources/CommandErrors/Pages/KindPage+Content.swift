import CommandLineKit

extension KindPage {
  /// The pages of files that are no model at all, or differ from what a release says.
  static let content = impostors + comparisons

  private static let impostors = [
    KindPage(
      .empty,
      .unusable,
      means: "the file is empty",
      causes: ["a download or copy that ended before it began"],
      helps: ["fetch or convert the file again"]
    ),
    KindPage(
      .zeroFilled,
      .unusable,
      means: "the file starts with zeros only",
      causes: ["space was set aside for a download that was never written"],
      helps: ["fetch the file again"]
    ),
    KindPage(
      .htmlPage,
      .unusable,
      means: "the file is a web page, not a model",
      causes: ["a login, an error, or a captive portal answered in place of the file"],
      helps: ["open the address in a browser, give access, and fetch the file again"]
    ),
    KindPage(
      .lfsPointer,
      .unusable,
      means: "the file is the note that Git LFS keeps in place of the file",
      causes: ["a repository that was cloned without Git LFS"],
      helps: ["git lfs pull fetches the file itself"]
    ),
    KindPage(
      .xmlError,
      .unusable,
      means: "the file is an error of an object store",
      causes: ["the address has expired, or access was denied"],
      helps: ["fetch the file again with access"]
    ),
    KindPage(
      .jsonError,
      .unusable,
      means: "the file is an error in JSON, not a model",
      causes: ["a server answered an error in place of the file"],
      helps: ["fetch the file again with access"]
    ),
    KindPage(
      .hubError,
      .unusable,
      means: "the file holds the words with which a model hub refuses",
      causes: ["the model is gated or private, or its address is wrong"],
      helps: ["ask for access there and fetch the file again"]
    ),
    KindPage(
      .formatMismatch,
      .unusable,
      means: "the content is of another format than the name or the command line says",
      causes: ["a file under a wrong name, or a wrong --format"],
      helps: ["rename the file, leave --format out, or give the right file"]
    ),
    KindPage(
      .notAModel,
      .unusable,
      means: "files are exactly what was signed, and no models",
      causes: ["the publisher sealed a wrong file"],
      helps: ["the publisher has to build the release again from the right files"]
    ),
  ]

  private static let comparisons = [
    KindPage(
      .missing,
      .network,
      means: "a file is not there: not in the folder, or not on a mirror",
      causes: [
        "an incomplete copy of the release", "a mirror that does not have it yet, or any more",
      ],
      helps: ["fetch the file, or name a mirror that has it with --mirror"]
    ),
    KindPage(
      .wrongType,
      means: "a folder, a link or a special file stands where the manifest has a file",
      causes: ["files that were replaced by links, as caches do"],
      helps: ["put the file itself there"]
    ),
    KindPage(
      .wrongSize,
      means: "the file is longer than the manifest says, or shorter",
      causes: ["another version of the file, bytes that were added, or an upload that did not end"],
      helps: ["fetch the file again", "upload it again where a mirror has it wrong"]
    ),
    KindPage(
      .modified,
      means: "the file has the right size and other bytes",
      causes: ["it was edited, re-converted, or damaged on disk or on its way"],
      helps: ["fetch the file again; the finding names the places"]
    ),
    KindPage(
      .contradiction,
      means: "the signed chunks of a file do not make its signed digest",
      causes: ["a manifest that was made by hand or by a faulty tool"],
      helps: ["tell the publisher: no mirror can serve such a file"]
    ),
    KindPage(
      .extra,
      means: "the folder holds something that the manifest does not name",
      causes: ["notes, caches or files of another version in the folder"],
      helps: ["move it away; a release holds its files and nothing else"]
    ),
  ]
}
