import StrictJSON

/// Explains exit codes and the kinds of messages.
struct ExplainCommand<Tool: CommandLineTool>: Command {
  static var name: [String] { ["explain"] }
  static var summary: String {
    "explains an exit code or a kind of message: causes, and what to do"
  }
  static var help: CommandHelp {
    CommandHelp(
      operands: [
        OperandHelp(
          "CODE",
          arity: .optional,
          accepts: .words(Tool.table.explainedWords),
          "an exit code, or the kind of a message; a list of all of them by default"
        )
      ],
      details: [
        """
        The kind of a message is a word such as noSpace. With --json each error and warning says its own as "kind"; \
        --verbose names it in a help line.
        """
      ],
      examples: [
        ExampleHelp("\(Tool.table.tool) explain 8", "says what exit code 8 means"),
        ExampleHelp("\(Tool.table.tool) explain noSpace", "says what to do about a full disk"),
      ]
    )
  }

  private let page: KindPage?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    page = try arguments.optionalOperand("CODE") { try Tool.table.page(explaining: $0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let pages = page.map { [$0] } ?? Tool.table.pages
    for page in pages { context.console.event("page", page.members) }
    let text = page.map(Tool.table.text) ?? Tool.table.listOfPages
    context.console.printVerbatim(Array(text.utf8))
    return .done
  }
}

extension CommandTable {
  /// Everything that `explain` takes: the exit codes, and the kinds.
  var explainedWords: [String] {
    ExitCode.allCases.map { "\($0.rawValue)" } + pages.map(\.kind.rawValue)
  }

  /// Returns the page of an exit code or of a kind; throws with the nearest known word as help.
  func page(explaining word: String) throws(UsageError) -> KindPage {
    let named = ExitCode.allCases.first { word.isSame(as: "\($0.rawValue)") }.map(
      DiagnosticKind.init
    )
    if let page = pages.first(where: { $0.kind == named || $0.kind.rawValue.isSame(as: word) }) {
      return page
    }
    let all = "\(tool) explain lists all of them"
    guard DiagnosticKind(rawValue: word) == nil else {
      throw UsageError("\(tool) never reports \(quoted(word)); another tool does", helps: [all])
    }
    let near = suggestion(for: word, among: explainedWords)
    throw UsageError(
      "\(quoted(word)) is no exit code and no kind of a message",
      helps: [near.map { "did you mean \($0)?" } ?? all]
    )
  }

  /// The page as people read it.
  func text(of page: KindPage) -> String {
    var text = HelpPage()
    let code = ExitCode.allCases.first { DiagnosticKind($0) == page.kind }
    if let code {
      text.paragraph("exit code \(code.rawValue), \(page.kind.rawValue): \(page.meaning)")
    } else {
      text.paragraph("\(page.kind.rawValue) (\(page.codesText)): \(page.meaning)")
    }
    text.bullets("usual causes:", page.causes)
    text.bullets("what to do:", page.helps)
    if let code {
      let kinds = pages.filter { $0.kind != page.kind && $0.codes.contains(code) }
      text.list(
        "kinds of messages with this exit code:",
        kinds.map { ($0.kind.rawValue, $0.meaning) }
      )
    }
    return text.text
  }

  /// What `explain` prints when no code is named.
  var listOfPages: String {
    let codes = Set(ExitCode.allCases.map(DiagnosticKind.init))
    var text = HelpPage()
    text.list(
      "exit codes:",
      ExitCode.allCases.compactMap { code in
        pages.first { $0.kind == DiagnosticKind(code) }.map { ("\(code.rawValue)", $0.meaning) }
      }
    )
    text.list(
      "kinds of messages:",
      pages.filter { !codes.contains($0.kind) }.map { ($0.kind.rawValue, $0.meaning) }
    )
    text.paragraph("\(tool) explain CODE says the usual causes of one of them, and what to do")
    return text.text
  }
}

extension KindPage {
  /// With which exit codes it comes: `exit code 8`, `a warning`.
  fileprivate var codesText: String {
    let numbers = codes.map { "\($0.rawValue)" }
    return switch numbers.count {
    case 0: "a warning or finding"
    case 1: "exit code \(numbers[0])"
    default: "exit codes \(numbers.joined(separator: ", "))"
    }
  }

  fileprivate var members: JSONObject {
    [
      "kind": .string(kind.rawValue),
      "exits": .array(codes.map { .integer(Int64($0.rawValue)) }),
      "meaning": .string(meaning), "causes": .array(causes.map { .string($0) }),
      "helps": .array(helps.map { .string($0) }),
    ]
  }
}
