import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import StrictJSON
import Trust

struct RepoVerifyCommand: Command {
  static let name = ["repo", "verify"]
  static let summary = "checks a repository as clients will, from its first root"
  static let help = CommandHelp(
    operands: [RepositoryPlace.operand],
    options: [
      OptionHelp("--full", "reads the blobs and hashes them, instead of looking at their size"),
      OptionHelp(
        "--blobs-elsewhere",
        "looks for no blob that a mirror of its manifest has, whatever the mirror's URL looks like"
      ),
    ] + RepositoryPlace.options,
    details: [
      "Goes the way of a client that has nothing but 1.root.json, then reads every target, asks the trust policy about every "
        + "manifest, and looks for the files. What a client would refuse ends with 6; what it would miss is a finding and ends with 10.",
      "A file must be among the blobs of the tree unless its manifest names a mirror elsewhere. A mirror whose URL ends in "
        + "/blobs/sha256/{sha256} may be the tree itself, and does not count as one.",
      "Of a URL it asks for everything but blobs, from the root of --root on; mirror check reads the blobs of a manifest.",
    ],
    examples: [
      ExampleHelp("sealift-publish repo verify public", "checks all but the contents of blobs"),
      ExampleHelp("sealift-publish repo verify public --full", "reads every byte"),
      ExampleHelp(
        "sealift-publish repo verify https://models.example.com --root 1.root.json",
        "checks what is served"
      ),
    ]
  )

  private let place: RepositoryPlace
  private let depth: RepositoryCheck.BlobDepth

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let isFull = try arguments.flag("--full")
    let isElsewhere = try arguments.flag("--blobs-elsewhere")
    place = try RepositoryPlace(&arguments)
    try arguments.finish()
    guard !isFull || !isElsewhere else {
      throw UsageError("--full and --blobs-elsewhere exclude each other")
    }
    if case .served = place.kind, isFull || isElsewhere {
      throw UsageError("--full and --blobs-elsewhere are about the blobs of a folder")
    }
    depth = isFull ? .hashes : isElsewhere ? .elsewhere : .sizes
  }

  private var path: String { place.path }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let now = try Timestamp.current()
    guard case .served(let url, let root) = place.kind else {
      return try verify(context.console, now)
    }
    let check = try await place.reading(url, root: root, context) { read, pin in
      let trusted = try StagedTree.trusted(at: now, from: pin, reading: read)
      try StagedTree.checkBins(in: trusted, reading: read)
      let state = try RepositoryState(at: now, pin: pin, reading: read)
      return try RepositoryCheck(state, at: now, reading: read)
    }
    return tell(check, context.console)
  }

  /// Checks the tree, its blobs as well.
  private func verify(_ console: Console, _ now: Timestamp) throws -> ExitCode {
    let tree = try RepositoryTree(path: path)
    if try tree.isInterrupted {
      console.print("a publication was interrupted; \(RepositoryChange.completing(path))")
      console.summarize(["repository": .string(path), "isInterrupted": .boolean(true)])
      return .findings
    }
    let trusted = try StagedTree.trusted(at: now) { try tree.read($0, limit: $1) }
    try StagedTree.checkBins(in: trusted) { try tree.read($0, limit: $1) }
    let state = try tree.state(at: now)
    return tell(try RepositoryCheck(tree, state, blobs: depth, at: now), console)
  }

  private func tell(_ check: RepositoryCheck, _ console: Console) -> ExitCode {
    for finding in check.findings {
      let diagnostic = Diagnostic(finding)
      console.event(
        "finding",
        ["kind": .string(diagnostic.kind.rawValue), "message": .string(diagnostic.message)]
      )
      console.print(diagnostic.message)
    }
    console.print(
      "\(counted(check.releases, "release")), \(counted(check.blobs, "blob")), "
        + counted(check.findings.count, "finding")
    )
    console.summarize([
      "repository": .string(path), "releases": .integer(Int64(check.releases)),
      "blobs": .integer(Int64(check.blobs)), "findings": .integer(Int64(check.findings.count)),
    ])
    return check.findings.isEmpty ? .done : .findings
  }
}
