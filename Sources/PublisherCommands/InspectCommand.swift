import CommandErrors
import CommandLineKit
import Manifests
import ModelFormats
import Publishing
import StrictJSON
import SystemFiles
import Verification

/// Shows what the bytes of model files say, without making a release of them.
struct InspectCommand: Command {
  static let name = ["inspect"]
  static let summary = "shows what model files are, whether they are sound, and what can load them"
  static let help = CommandHelp(
    operands: [
      OperandHelp("FILE", arity: .atLeastOne, "files, or one folder with all that is in it")
    ],
    options: [OptionHelp("--strict", "takes what is seldom meant for a fault")],
    details: [
      "Only headers are read, whatever the size. A file that no runtime should be given is exit code 9. What "
        + "cannot be checked, and what can run code when it is loaded, is told and is no fault here. With --json, "
        + "each file is an event, and the summary has what each file needs: a client must satisfy all of it."
    ],
    examples: [
      ExampleHelp(
        "sealift-publish inspect model.gguf",
        "shows architecture, types and minimum runtime"
      )
    ]
  )

  private let paths: [String]
  private let isStrict: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isStrict = try arguments.flag("--strict")
    paths = try arguments.operands("FILE", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let listing = try SourceListing(paths)
    let inspected = try ListingInspection(listing, isStrict: isStrict)
    for (index, file) in inspected.files.enumerated() {
      let page = InspectionPage(file, at: listing.files[index].place)
      if index > 0 { context.console.print("") }
      for line in page.lines { context.console.print(line) }
      context.console.event("file", page.members)
    }
    for warning in inspected.together.warnings {
      context.console.warn(Diagnostic(.structure(warning.file, warning.fault)))
    }
    let problems = inspected.files.compactMap(\.problem) + inspected.together.problems
    for problem in problems { context.console.report(Diagnostic(problem)) }
    context.console.summarize([
      "files": .integer(Int64(inspected.files.count)),
      "problems": .array(problems.map { .object($0.members) }),
      "needs": .array(inspected.files.map(\.needs).filter { !$0.anyOf.isEmpty }.map(\.json)),
    ])
    return problems.isEmpty ? .done : .unusable
  }
}

extension FileNeeds {
  /// The needs of one file, of which any one is enough; a client must satisfy those of every file.
  fileprivate var json: JSONValue {
    .object(["path": .string(file.text), "anyOf": .array(anyOf.map { .object($0.members) })])
  }
}

extension Diagnostic {
  fileprivate init(_ problem: FormatProblem) {
    self.init(
      .unusable,
      kind: DiagnosticKind(problem.fault),
      problem.text,
      helps: [problem.fault.help]
    )
  }
}
