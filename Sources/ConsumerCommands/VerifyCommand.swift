import CommandLineKit
import Installing
import Manifests
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
        value: "FILE",
        occurrence: .required,
        "the manifest, a file or a URL"
      ),
      OptionHelp("--full-hash", "checks the digest of whole files too, after that of the chunks"),
    ],
    details: [
      """
      A folder must hold exactly the files of the release. A single file is compared with the file of the release
      that has its name. Exit code 5 says that bytes differ, and stderr which.
      """
    ],
    examples: [
      ExampleHelp("sealift verify ./model.gguf --manifest ./1.0.0.json", "compares one file")
    ]
  )

  private let paths: [String]
  private let manifest: ManifestSource
  private let depth: FileCheck.Depth

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    manifest = try arguments.requiredOption("--manifest") { text in
      text.utf8.starts(with: "https://".utf8) || text.utf8.starts(with: "http://".utf8)
        ? .url(text) : .file(text)
    }
    depth = try arguments.flag("--full-hash") ? .everyByteAndWhole : .everyByte
    paths = try arguments.operands("PATH", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let bytes = try await manifest.load(client.fetchOptions())
    let accepted = try client.trust.load().accept(bytes, at: Client.now())
    let findings = try await findings(against: accepted.release, context.console)
    for finding in findings {
      context.console.report(
        Diagnostic(.wrongBytes, kind: finding.code, finding.text, helps: [])
      )
    }
    context.console.summarize(["findings": .integer(Int64(findings.count))])
    guard findings.isEmpty else { return .wrongBytes }
    let signers = accepted.signers.map { "\($0.name) \($0.fingerprint)" }
    context.console.print(
      "\(accepted.release.model) \(accepted.release.version): verified, signed by "
        + signers.joined(separator: ", ")
    )
    return .done
  }

  private func findings(
    against release: Release,
    _ console: Console
  ) async throws -> [FileFinding] {
    let subjects = try paths.map { try VerifySubject(path: $0, release: release) }
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
    let kind = try OpenFile(reading: path).status().kind
    if kind == .folder {
      self = .folder(path: path)
      return
    }
    let name = splitPath(path).name
    let entries = release.files.filter { splitPath($0.path.text).name == name }
    guard let entry = entries.first else {
      throw Diagnostic(
        .notFound,
        kind: "noSuchFile",
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
      let file = try OpenFile(reading: path)
      let problem = try FileCheck(entry, depth: depth).problem(in: file, report: report)
      return problem.map { [FileFinding(path: path, problem: $0)] } ?? []
    }
  }
}
