import StrictJSON

/// Prints how an unfinished command line may go on; the completion files of the shells ask it.
struct CandidatesCommand<Tool: CommandLineTool>: Command {
  static var name: [String] { ["completions", "candidates"] }
  static var summary: String {
    "prints how a command line may go on, for the completion of a shell"
  }
  static var help: CommandHelp {
    CommandHelp(
      operands: [
        OperandHelp(
          "WORD",
          arity: .trailing,
          "the words after the tool's name; the last one, which may be empty, is completed"
        )
      ],
      details: [
        """
        Prints one candidate a line, with a tabulator and what it does behind it. A line with a colon in front says \
        what else may stand there, for the shell to find: :files, :folders or :programs.
        """,
        "A line that makes no sense has no candidates; the exit code is 0.",
      ],
      examples: [
        ExampleHelp(
          "\(Tool.table.tool) completions candidates -- he",
          "prints help, and what it does"
        )
      ]
    )
  }

  private let words: [String]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    words = try arguments.trailing("WORD")
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let completion = Completion(Tool.table, words)
    var lines = completion.candidates.map { candidate in
      let word = completion.prefix + candidate.word
      return candidate.summary.isEmpty ? word : "\(word)\t\(candidate.summary)"
    }
    let typed = Array(completion.typed.utf8)
    lines += names(for: completion.form, context)
      .filter { $0.utf8.starts(with: typed) }
      .map { completion.prefix + printable($0) }
    if let word = completion.form.shellsOwn { lines.append(":\(word)") }
    context.console.printVerbatim(Array(lines.map { $0 + "\n" }.joined().utf8))
    context.console.event("candidates", ["lines": .array(lines.map { .string($0) })])
    return .done
  }

  /// The names that exist, by the global options of the line that is completed; none where that fails.
  private func names(for form: ValueForm, _ context: CommandContext) -> [String] {
    guard form.isName else { return [] }
    var line = ArgumentReader(Array(words.dropLast()))
    let settings = context.settings
    // Whatever is wrong with the line or the store, somebody is typing: it is said when the line is run.
    guard let globals = try? GlobalOptions(Tool.table, &line, settings) else { return [] }
    let quiet = CommandContext(
      tool: context.tool,
      version: context.version,
      console: context.console,
      globals: globals,
      environment: context.environment,
      explain: context.explain
    )
    return (try? Tool.names(for: form, quiet)) ?? []
  }
}

extension ValueForm {
  /// Whether what may stand there is a name that only the tool finds.
  fileprivate var isName: Bool {
    switch self {
    case .model, .version, .modelOrVersion: true
    case .text, .words, .known, .file, .folder, .program: false
    }
  }

  /// What a shell finds by itself, in the word of the `completions candidates` command.
  fileprivate var shellsOwn: String? {
    switch self {
    case .file: "files"
    case .folder: "folders"
    case .program: "programs"
    case .text, .words, .known, .model, .version, .modelOrVersion: nil
    }
  }
}
