import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON
import SystemFiles
import Verification

struct BuildCommand: Command {
  static let name = ["build"]
  static let summary = "hashes the files of a release and writes its manifest, unsigned"

  private let paths: [String]
  private let options: BuildOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    options = try BuildOptions(&arguments)
    paths = try arguments.operands("PATH") { $0 }
    guard !paths.isEmpty || !options.declared.isEmpty else {
      throw UsageError("PATH is missing", helps: ["name files, one folder, or --declare a file"])
    }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let draft = try options.draft(
      sourceDate: context.environment["SOURCE_DATE_EPOCH"],
      now: try Timestamp.current()
    )
    let output = options.output ?? ManifestPlace.path(of: draft.model, draft.version)
    let listing =
      try paths.isEmpty ? SourceListing() : SourceListing(paths, excluding: options.excluded)
    guard options.excluded.isEmpty || listing.folder != nil else {
      throw UsageError(
        "--exclude goes with a folder only",
        helps: ["leave the option or the PATH out"]
      )
    }
    if let folder = listing.folder { try ManifestPlace.check(output, isOutside: folder) }
    let built = try await build(ReleaseBuilder(draft, listing), context.console)
    context.console.warnAboutHashing()
    context.console.warn(built.warnings.map { Diagnostic($0) })
    try context.console.warnIfExpired(built.release)
    let envelope = try built.envelope()
    let outcome = try ManifestFile.write(envelope, to: output)
    if outcome == .written { context.console.wrote(output) }
    report(built.release, envelope, outcome, at: output, context.console)
    return .done
  }

  private func build(
    _ builder: ReleaseBuilder,
    _ console: Console
  ) async throws -> BuiltRelease {
    let display = ProgressDisplay(console, label: "hashing", total: builder.size)
    return try await StopFlag.withFlag { stop in
      try await withProgress(display) { display in
        try builder.build { progress in
          display.update(done: progress.done, label: "hashing \(progress.file)")
          return !stop.isRaised
        }
      }
    }
  }

  private func report(
    _ release: Release,
    _ envelope: Envelope,
    _ outcome: ManifestFile.Outcome,
    at path: String,
    _ console: Console
  ) {
    for line in ReleaseSummary(release).lines { console.inform(line) }
    console.print(path)
    var members = ReleaseSummary(release).members
    members["path"] = .string(path)
    members["manifestSha256"] = .string(envelope.payloadDigest.hex)
    switch outcome {
    case .written:
      members["outcome"] = "written"
      console.inform("next: sealift-publish sign \(path) --key FILE")
    case .alreadyThere(let signatures):
      members["outcome"] = "alreadyThere"
      console.inform(
        "\(path) holds this release already, with \(counted(signatures, "signature")), and stays as it is"
      )
    }
    console.summarize(members)
  }
}
