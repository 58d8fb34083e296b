import CommandLineKit
import Manifests
import ModelFormats
import Publishing

/// The options of `build`.
struct BuildOptions: Sendable {
  let model: ModelName
  let version: Version
  let mirrors: [MirrorTemplate]
  let format: FormatName?
  let runtimes: [RuntimeRequirement]
  let license: License?
  let released: Timestamp?
  let declared: [DeclaredFile]
  let details: ReleaseDetails
  let output: String?
  /// What of the folder is left out.
  let excluded: [PathGlob]
  private let consent: InspectionConsent
  private let forcesRuntimes: Bool
  private let anyRuntimeIsEnough: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    model = try arguments.requiredOption("--model") { try ModelName($0) }
    version = try arguments.requiredOption("--version") { try Version($0) }
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    format = try arguments.option("--format") { try FormatName($0) }
    runtimes = try arguments.options("--runtime") { try RuntimeRequirement(stated: $0) }
    license = try arguments.option("--license") { try License($0) }
    released = try arguments.option("--released") { try Timestamp($0) }
    declared = try arguments.options("--declare") { try DeclaredFile($0) }
    let expires = try arguments.option("--expires") { try Timestamp($0) }
    let title = try arguments.option("--title") { $0 }
    let notes = try arguments.option("--notes") { $0 }
    details = ReleaseDetails(expires: expires, title: title, notes: notes)
    output = try arguments.option("--output") { $0 }
    excluded = try arguments.options("--exclude") { PathGlob($0) }
    var consent = InspectionConsent()
    consent.code = try arguments.flag("--allow-pickle")
    if try arguments.flag("--allow-unverified") { consent.unverified = nil }
    consent.bigEndian = try arguments.flag("--big-endian")
    consent.isStrict = try arguments.flag("--strict")
    self.consent = consent
    forcesRuntimes = try arguments.flag("--force-runtime")
    anyRuntimeIsEnough = try arguments.flag("--any-runtime")
  }

  /// The draft of the release; its time is as stated, else from `SOURCE_DATE_EPOCH`, else `now`.
  func draft(
    sourceDate: String?,
    now: Timestamp
  ) throws(PublishingError) -> ReleaseDraft {
    var draft = ReleaseDraft(
      model: model,
      version: version,
      released: try Timestamp(ofRelease: released, sourceDate: sourceDate, now: now),
      license: license,
      mirrors: mirrors,
      runtimes: runtimes,
      format: format,
      declared: declared,
      details: details
    )
    draft.consent = consent
    draft.forcesRuntimes = forcesRuntimes
    draft.anyRuntimeIsEnough = anyRuntimeIsEnough
    return draft
  }
}

extension BuildCommand {
  static let help = CommandHelp(
    operands: [OperandHelp("PATH", arity: .any, "files, or one folder with all that is in it")],
    options: [
      OptionHelp("--model", value: "MODEL", occurrence: .required, "the model: NAME or OWNER/NAME"),
      OptionHelp("--version", value: "VERSION", occurrence: .required, "its version, as 1.2.0"),
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "where files can be fetched, with {sha256}, {name}, {model} or {version}"
      ),
      OptionHelp(
        "--format",
        value: "FORMAT",
        accepts: .known(ModelFormat.allCases.map(\.rawValue)),
        "the format of the weights, as gguf"
      ),
      OptionHelp(
        "--runtime",
        value: "NAME:MIN",
        occurrence: .repeatable,
        "what loads the release, from this version on"
      ),
      OptionHelp(
        "--any-runtime",
        "the files are one model in several formats: a client needs one of the runtimes"
      ),
      OptionHelp(
        "--force-runtime",
        "accepts a --runtime below what the bytes need, and records that"
      ),
      OptionHelp("--allow-pickle", "accepts files that can run code when they are loaded"),
      OptionHelp(
        "--allow-unverified",
        "accepts what this program is too old to check, and records it"
      ),
      OptionHelp("--big-endian", "accepts files for hosts that store the highest byte first"),
      OptionHelp(
        "--strict",
        "refuses what is otherwise only warned about in files, and secrets in mirrors"
      ),
      OptionHelp("--license", value: "SPDX", "the licence, as MIT"),
      OptionHelp("--released", value: "TIME", "the time of the release, as 2026-11-30T00:00:00Z"),
      OptionHelp(
        "--declare",
        value: "NAME:SIZE:SHA256",
        occurrence: .repeatable,
        "adds a file by its published size and digest, unseen"
      ),
      OptionHelp("--expires", value: "TIME", "from then on nobody is to install the release"),
      OptionHelp("--title", value: "TEXT", "the name of the model for people"),
      OptionHelp("--notes", value: "TEXT", "what people should know about the release"),
      OptionHelp(
        "--output",
        value: "FILE",
        "the manifest, manifests/MODEL/VERSION.json unless given"
      ),
      OptionHelp(
        "--exclude",
        value: "PATTERN",
        occurrence: .repeatable,
        "leaves out what matches beneath the folder: * stays within a folder, ** does not"
      ),
    ],
    details: [
      "Each file is read once, for its SHA-256 and those of its chunks, and its format is told by its content. "
        + "Links, special files, hidden files, web pages, Git LFS pointers, empty and zero-filled files are refused.",
      "The same files and options give the same bytes when --released, or the variable SOURCE_DATE_EPOCH, fixes "
        + "the time. The path of the manifest is printed. A manifest that somebody has signed is never replaced by "
        + "another release.",
      "A runtime's versions compare by build number (llama.cpp:b5873), as semantic versions (onnxruntime:1.18.0) "
        + "or part by part (coreml:17.4); NAME:SCHEME:MIN says which, with build, semver, dotted or exact. "
        + "NAME:MIN,below=VERSION,exclude=FROM..TO leaves out what came later or in between. A pre-release is below its "
        + "release; X.Y.Z-0 takes those of X.Y.Z too.",
      "What the bytes need is derived from them: a model for llama.cpp needs the build that first knew its "
        + "architecture, tokenizer and tensor types. The highest need stands in the manifest with its reasons; "
        + "--runtime may state a higher one, in the same scheme. Where the bytes name something unknown, --runtime is "
        + "required, and may not be below what is known.",
      "An engine of TensorRT takes the exact --runtime tensorrt:VERSION that built it, and the exact "
        + "--runtime compute-capability:X.Y of the device, which a client states as it states a runtime.",
      "Where no one runtime loads all files, as of a GGUF beside an ONNX model, each file says what it needs, and a "
        + "client must have all of it; --any-runtime says that one is enough.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish build model.gguf --model acme/tiny-chat --version 1.0.0 "
          + "--mirror 'https://cdn.example.com/blobs/sha256/{sha256}' --runtime llama.cpp:b5873",
        "writes manifests/acme+tiny-chat/1.0.0.json"
      ),
      ExampleHelp(
        "sealift-publish build release/ --model tiny --version 2.0.0-rc.1 --output tiny.json",
        "seals a folder with all that is in it"
      ),
    ]
  )
}
