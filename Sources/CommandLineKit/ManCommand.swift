import StrictJSON

/// Prints manual pages.
struct ManCommand<Tool: CommandLineTool>: Command {
  static var name: [String] { ["man"] }
  static var summary: String { "prints the manual page of the tool or of a command" }
  static var help: CommandHelp {
    let tool = Tool.table.tool
    return CommandHelp(
      operands: [
        OperandHelp(
          "PAGE",
          arity: .any,
          accepts: .words(Tool.table.manualPages),
          "the name of a page, or the words of a command; the page of the tool by default"
        )
      ],
      options: [OptionHelp("--list", "prints the names of all pages")],
      details: [
        """
        A page is mdoc, the language of manual pages; man -l - shows it. To install one, write it to the folder \
        share/man/man1 of a prefix such as /usr/local, under its name and .1.
        """
      ],
      examples: [
        ExampleHelp("\(tool) man | man -l -", "shows the page of the tool"),
        ExampleHelp("\(tool) man \(Tool.table.manualPages[1])", "prints the page of a command"),
      ]
    )
  }

  private let isList: Bool
  private let page: String

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isList = try arguments.flag("--list")
    page = try Tool.table.manual(try arguments.operands("PAGE") { $0 })
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let names = Tool.table.manualPages
    let text = isList ? names.map { $0 + "\n" }.joined() : page
    context.console.printVerbatim(Array(text.utf8))
    context.console.event(
      isList ? "pages" : "page",
      isList ? ["names": .array(names.map { .string($0) })] : ["text": .string(page)]
    )
    return .done
  }
}
