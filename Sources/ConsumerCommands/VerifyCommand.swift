import CommandErrors
import CommandLineKit
import Digests
import Installing
import Manifests
import Signatures
import StrictJSON
import SystemFiles
import Trust
import Verification

/// Compares files on disk with a trusted manifest.
struct VerifyCommand: Command {
  static let name = ["verify"]
  static let summary = "compares files with a manifest that the trust policy accepts"
  static let help = CommandHelp(
    operands: [
      OperandHelp("PATH", arity: .atLeastOne, "one folder of a release, or single files of it")
    ],
    options: [
      OptionHelp(
        "--manifest",
        value: "MANIFEST",
        occurrence: .required,
        "the manifest, a file or a URL"
      ),
      OptionHelp("--full-hash", "checks the digest of whole files too, after that of the chunks"),
    ] + TransferFlags.options,
    details: [
      """
      A folder must hold exactly the files of the release. A single file is compared with the file of the release \
      that has its name. Each finding is a line of the result. Exit code 5 says that bytes differ, 9 that they are as \
      signed and no model, 8 that files could not be read.
      """
    ],
    examples: [
      ExampleHelp("sealift verify ./model.gguf --manifest ./1.0.0.json", "compares one file")
    ]
  )

  private let paths: [String]
  private let manifest: ManifestSource
  private let depth: FileCheck.Depth
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    manifest = try arguments.requiredOption("--manifest") {
      try ManifestSource(argument: $0)
    }
    transfer = try TransferFlags(&arguments)
    depth = try arguments.flag("--full-hash") ? .everyByteAndWhole : .everyByte
    paths = try arguments.operands("PATH", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let bytes = try await manifest.envelope(try transfer.options(client, context))
    let accepted = try client.policy().accept(bytes, at: Timestamp.current())
    let subjects = try paths.map { try VerifySubject(path: $0, release: accepted.release) }
    let findings = try await findings(of: subjects, in: accepted.release, context.console)
    context.console.warnAboutHashing()
    summarize(accepted, findings, context.console)
    guard findings.isEmpty else {
      return context.console.report(findings, in: subjects.count == 1 ? subjects[0].folder : nil)
    }
    let signers = accepted.signers.map { "\($0.name) \($0.fingerprint)" }
    context.console.print(
      "\(accepted.release.model) \(accepted.release.version): verified, signed by "
        + signers.joined(separator: ", ")
    )
    return .done
  }

  private func summarize(
    _ accepted: AcceptedManifest,
    _ findings: [FileFinding],
    _ console: Console
  ) {
    console.summarize([
      "model": .string(accepted.release.model.text),
      "version": .string(accepted.release.version.text),
      "manifestSha256": .string(accepted.digest.hex),
      "signers": .array(accepted.signers.map { .string($0.fingerprint.description) }),
      "findings": .integer(Int64(findings.count)),
    ])
  }

  private func findings(
    of subjects: [VerifySubject],
    in release: Release,
    _ console: Console
  ) async throws -> [FileFinding] {
    let size = subjects.reduce(0) { $0 + $1.size(in: release) }
    let display = ProgressDisplay(console, label: "verifying", total: size)
    defer { display.finish() }
    return try await StopFlag.withFlag { stop in
      try subjects.flatMap { subject in
        try subject.findings(in: release, depth: depth) { count in
          display.advance(by: count)
          return !stop.isRaised
        }
      }
    }
  }
}

/// One path of the command line and the part of the release that it stands for.
private enum VerifySubject {
  case folder(path: String)
  case file(path: String, entry: FileEntry)

  init(path: String, release: Release) throws {
    if try Folder.exists(path) {
      self = .folder(path: path)
      return
    }
    _ = try OpenFile(readingPlainFile: path)
    let name = splitPath(path).name
    let entries = release.files.filter { splitPath($0.path.text).name == name }
    guard let entry = entries.first else {
      throw Diagnostic(
        .notFound,
        kind: .noSuchFile,
        "\(release.model) \(release.version) has no file named \(name)",
        notes: release.files.prefix(8).map { "it has \($0.path)" }
      )
    }
    guard entries.count == 1 else {
      throw UsageError(
        "\(release.model) \(release.version) has several files named \(name)",
        helps: ["give the folder of the release"]
      )
    }
    self = .file(path: path, entry: entry)
  }

  /// The folder, if it is one.
  var folder: String? {
    if case .folder(let path) = self { path } else { nil }
  }

  func size(in release: Release) -> Int {
    switch self {
    case .folder: release.size
    case .file(_, let entry): entry.size
    }
  }

  func findings(
    in release: Release,
    depth: FileCheck.Depth,
    report: @Sendable (Int) -> Bool
  ) throws -> [FileFinding] {
    switch self {
    case .folder(let path):
      return try ReleaseCheck(release, depth: depth)
        .findings(in: Folder(path: path), report: report)
    case .file(let path, let entry):
      let file = try OpenFile(readingPlainFile: path)
      let problem = try FileCheck(entry, depth: depth).problem(in: file, report: report)
      return problem.map { [FileFinding(path: path, problem: $0)] } ?? []
    }
  }
}
