import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Signatures
import StrictJSON
import Trust

struct RepoStatusCommand: Command {
  static let name = ["repo", "status"]
  static let summary = "shows the roles of a repository, when they expire, and who must act"
  static let help = CommandHelp(
    operands: [RepositoryPlace.operand],
    options: [
      OptionHelp(
        "--within",
        value: "SPAN",
        "what expires within this time is due; 14d unless given"
      )
    ] + RepositoryPlace.options,
    details: [
      "Ends with 0 if nothing is due, and with 10 if a role expires within the time or has expired, or a change waits for "
        + "signatures: fit for cron. Of bins the one that ends first is shown.",
      "Of a URL it reads all that the metadata lists, as a client would who has nothing but the root of --root. A change that waits "
        + "is known in the folder alone.",
    ],
    examples: [
      ExampleHelp("sealift-publish repo status public", "shows what ends within 14 days"),
      ExampleHelp("sealift-publish repo status public --within 30d", "looks further ahead"),
      ExampleHelp(
        "sealift-publish repo status https://models.example.com --root 1.root.json",
        "looks at what is served"
      ),
    ]
  )

  private let place: RepositoryPlace
  private let seconds: Int64

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    seconds = try arguments.option("--within") { try readSpan($0) } ?? 14 * 86_400
    place = try RepositoryPlace(&arguments)
    try arguments.finish()
  }

  private var path: String { place.path }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let now = try Timestamp.current()
    guard case .served(let url, let root) = place.kind else {
      return try look(context.console, now)
    }
    let state = try await place.reading(url, root: root, context) { read, pin in
      try RepositoryState(at: now, pin: pin, reading: read)
    }
    let status = RepositoryStatus(state, within: seconds, at: now)
    show(status, context.console)
    context.console.summarize(["repository": .string(path)])
    return status.isDue ? .findings : .done
  }

  /// Looks at the tree, and at what waits beside it.
  private func look(_ console: Console, _ now: Timestamp) throws -> ExitCode {
    let tree = try RepositoryTree(path: path)
    if try tree.isInterrupted {
      console.print("a publication was interrupted; \(RepositoryChange.completing(path))")
      console.summarize(["repository": .string(path), "isInterrupted": .boolean(true)])
      return .findings
    }
    let state = try tree.isPublished ? tree.state(at: now) : nil
    if let state { show(RepositoryStatus(state, within: seconds, at: now), console) }
    guard let missing = try waiting(tree, state, now, console) else { return .findings }
    for part in missing { console.print("waits for signatures: \(part.words)") }
    console.summarize([
      "repository": .string(path), "waiting": .array(missing.map(\.document)),
    ])
    let isDue = state.map { RepositoryStatus($0, within: seconds, at: now).isDue } ?? false
    return isDue || !missing.isEmpty ? .findings : .done
  }

  /// What the change that waits lacks; nil for one that nobody can complete, of which it tells.
  private func waiting(
    _ tree: borrowing RepositoryTree,
    _ state: RepositoryState?,
    _ now: Timestamp,
    _ console: Console
  ) throws -> [MissingSignatures]? {
    do {
      return try tree.waiting(for: state, at: now)
    } catch let problem as RepositoryProblem {
      console.warn(Diagnostic(problem))
      console.summarize(["repository": .string(path), "isOutdated": .boolean(true)])
      return nil
    }
  }

  private func show(_ status: RepositoryStatus, _ console: Console) {
    var table = TextTable(
      ["ROLE", "VERSION", "EXPIRES", "DAYS", "SIGNATURES", "STATE"],
      alignments: [.left, .right, .left, .right, .left, .left]
    )
    for row in status.rows {
      table.append([
        row.role.text, "\(row.version)", row.expires.text, "\(status.days(row))",
        "\(row.signatures) of \(row.threshold)", Self.word(row, status.now),
      ])
      console.event("role", Self.members(row, status))
    }
    console.print(table)
    for row in status.rows where row.isDue || row.isShort {
      console.print(
        "\(row.role.text): sign with \(row.keys.map(\.description).joined(separator: ", "))"
      )
    }
    console.summarize([
      "isDue": .boolean(status.isDue),
      "due": .array(status.rows.filter { $0.isDue || $0.isShort }.map { .string($0.role.text) }),
    ])
  }

  private static func word(_ row: RepositoryStatus.Row, _ now: Timestamp) -> String {
    if row.isShort { return "lacks signatures" }
    if row.expires <= now { return "expired" }
    return row.isDue ? "due" : "good"
  }

  private static func members(
    _ row: RepositoryStatus.Row,
    _ status: RepositoryStatus
  ) -> JSONObject {
    [
      "role": .string(row.role.text), "version": .integer(Int64(row.version)),
      "expires": .string(row.expires.text), "days": .integer(status.days(row)),
      "signatures": .integer(Int64(row.signatures)), "threshold": .integer(Int64(row.threshold)),
      "keys": .array(row.keys.map { .string($0.description) }),
      "state": .string(word(row, status.now)),
    ]
  }
}
