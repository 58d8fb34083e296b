import CommandLineKit

extension KindPage {
  /// The pages of faults in the structure of a model file.
  static let structure = frames + declarations + tensors + bundles

  private static let again = "fetch or convert the file again"

  private static let frames = [
    KindPage(
      .badMagic,
      .unusable,
      means: "the file does not begin as its format does",
      causes: ["a file under a wrong name, or one that was damaged"],
      helps: [again]
    ),
    KindPage(
      .truncated,
      .unusable,
      means: "the file ends before what it declares does",
      causes: ["a download or copy that was cut off"],
      helps: [again]
    ),
    KindPage(
      .unsupportedVersion,
      .unusable,
      means: "the file has a version of its format that runtimes no longer load",
      causes: ["it was converted by an old tool"],
      helps: ["convert the model again with a current tool"]
    ),
    KindPage(
      .newerVersion,
      .unusable,
      means: "the file has a version of its format that is newer than this tool",
      causes: ["it was made by a newer converter"],
      helps: [
        "use a newer version of this tool",
        "a publisher may accept the file unchecked with --allow-unverified",
      ]
    ),
    KindPage(
      .wrongEndian,
      .unusable,
      means: "the file is for hosts of the other byte order",
      causes: ["it was converted for such a host, as s390x is one"],
      helps: ["convert the file, or tell build with --big-endian that this is meant"]
    ),
    KindPage(
      .trailingBytes,
      .unusable,
      means: "bytes follow that belong to nothing in the file",
      causes: ["two files in one, a faulty tool, or something that hides there"],
      helps: [again]
    ),
  ]

  private static let declarations = [
    KindPage(
      .countTooLarge,
      .unusable,
      means: "the file declares more of something than it can hold",
      causes: ["a damaged file, or one that was made to exhaust memory"],
      helps: [again]
    ),
    KindPage(
      .tooLong,
      .unusable,
      means: "a text or name in the file is longer than its format allows",
      causes: ["a damaged file, or one that was made to exhaust memory"],
      helps: [again]
    ),
    KindPage(
      .tooLarge,
      .unusable,
      means: "the file holds more than is read of one",
      causes: ["an unusually large header or table"],
      helps: ["a publisher may accept the file unchecked with --allow-unverified"]
    ),
    KindPage(
      .overflow,
      .unusable,
      means: "numbers in the file multiply to more than any size",
      causes: ["a damaged file, or one that was made to trick a loader"],
      helps: [again]
    ),
    KindPage(
      .badType,
      .unusable,
      means: "a value in the file has a type that it cannot have there",
      causes: ["a faulty converter, or a damaged file"],
      helps: [again]
    ),
    KindPage(
      .badShape,
      .unusable,
      means: "a tensor has a shape that cannot be",
      causes: ["a faulty converter, or a damaged file"],
      helps: [again]
    ),
    KindPage(
      .badOffset,
      .unusable,
      means: "something in the file lies at a place where it must not",
      causes: ["a faulty converter, or a damaged file"],
      helps: [again]
    ),
    KindPage(
      .outOfBounds,
      .unusable,
      means: "the file points beyond its own end",
      causes: ["a file that was cut off or damaged, or made to trick a loader"],
      helps: [again]
    ),
    KindPage(
      .badEncoding,
      .unusable,
      means: "a text or structure in the file is not written as its format demands",
      causes: ["a faulty converter, or a damaged file"],
      helps: [again]
    ),
    KindPage(
      .duplicateKey,
      .unusable,
      means: "one key stands twice in the file, so readers may disagree about its value",
      causes: ["a faulty converter, or a file that was edited"],
      helps: [again]
    ),
    KindPage(
      .duplicateName,
      .unusable,
      means: "two tensors or entries of the file have one name",
      causes: ["a faulty converter, or files that were merged"],
      helps: [again]
    ),
    KindPage(
      .missingKey,
      .unusable,
      means: "the file lacks a value without which no runtime loads it",
      causes: ["an incomplete conversion"],
      helps: ["convert the model again with a current tool"]
    ),
    KindPage(
      .unknownField,
      .unusable,
      means: "the file has a field that its format does not have",
      causes: ["a newer format than this tool knows, or a damaged file"],
      helps: ["use a newer version of this tool", again]
    ),
  ]

  private static let tensors = [
    KindPage(
      .removedTensorType,
      .unusable,
      means: "the file has tensors of a type that runtimes have dropped",
      causes: ["it was quantised by an old tool"],
      helps: ["quantise the model again"]
    ),
    KindPage(
      .unknownTensorType,
      .unusable,
      means: "the file has tensors of a type that this tool does not know",
      causes: ["a type that is newer than this tool, or of a private fork"],
      helps: [
        "use a newer version of this tool",
        "a publisher may accept the file unchecked with --allow-unverified",
      ]
    ),
    KindPage(
      .unknownTokenizer,
      .unusable,
      means: "the file names a tokenizer that this tool does not know",
      causes: ["a tokenizer that is newer than this tool, or of a private fork"],
      helps: ["use a newer version of this tool, or state the runtime with --runtime"]
    ),
    KindPage(
      .tokenizerMismatch,
      .unusable,
      means: "the parts of the tokenizer in the file do not fit each other",
      causes: ["a conversion with files of two models"],
      helps: ["convert the model again from one source"]
    ),
  ]

  private static let bundles = [
    KindPage(
      .shardMismatch,
      .unusable,
      means: "the shards of a model do not make one set",
      causes: ["a shard is missing, renamed, or of another model"],
      helps: ["put all files of the set beside each other, under the names they were made with"]
    ),
    KindPage(
      .roleMismatch,
      .unusable,
      means: "the content of a file is not what its role in the release says",
      causes: ["a companion, such as a projector, under the name of the weights"],
      helps: ["rename the file, or give the right one"]
    ),
    KindPage(
      .externalPathUnsafe,
      .unusable,
      means:
        "the file names another one by a path that leaves its folder, or that has a second name",
      causes: [
        "an absolute path of the machine that it was made on, or an attack",
        "a hard link beside the model, by which its data could change",
      ],
      helps: ["export the model again with external data beside it", "copy the data (cp)"]
    ),
    KindPage(
      .externalFileMissing,
      .unusable,
      means: "the file keeps its weights in another one that is not in the release",
      causes: ["only the first of several files was given"],
      helps: ["add the file that is named"]
    ),
    KindPage(
      .bundleIncomplete,
      .unusable,
      means: "a package lacks a file that its format demands",
      causes: ["an incomplete copy of a folder"],
      helps: ["add the file that is missing: a package is published as a whole"]
    ),
    KindPage(
      .bundleExtraFile,
      .unusable,
      means: "a package holds a file that its format does not know",
      causes: ["notes or caches within the folder of a package"],
      helps: ["remove the file from the package"]
    ),
    KindPage(
      .unsafeCode,
      .unusable,
      means: "loading the file can run code that is in it",
      causes: ["a pickle, or a format that carries programs"],
      helps: [
        "publish or ask for safetensors, GGUF or ONNX instead",
        "--allow-pickle agrees to the risk",
      ]
    ),
    KindPage(
      .licenceConflict,
      .unusable,
      means: "the file says another licence than the release",
      causes: ["a wrong --license, or a model that was made from one with another licence"],
      helps: ["find out which licence holds"]
    ),
    KindPage(
      .formatFactsMismatch,
      .unusable,
      means: "the file is not what its manifest says about its format",
      causes: ["a manifest that was made by hand or by a faulty tool"],
      helps: ["the publisher has to build the release again"]
    ),
    KindPage(
      .declaredBelowDerived,
      .unusable,
      means: "a runtime is stated from a version on that cannot load the files",
      causes: ["a value of --runtime that was guessed, or belongs to an older model"],
      helps: ["state at least the version in the notes; --force-runtime insists"]
    ),
  ]
}
