import StrictJSON

/// Prints the file that makes a shell complete the tool's command lines.
struct CompletionsCommand<Tool: CommandLineTool>: Command {
  static var name: [String] { ["completions"] }
  static var summary: String { "prints the completion file of a shell: bash, zsh or fish" }
  static var help: CommandHelp {
    let tool = Tool.table.tool
    return CommandHelp(
      operands: [
        OperandHelp(
          "SHELL",
          accepts: .words(CompletionShell.allCases.map(\.rawValue)),
          "bash, zsh or fish"
        )
      ],
      details: [
        """
        The file asks the tool itself for candidates, so it stays right when the tool is replaced by a newer one. In \
        bash it works with the package bash-completion and without it.
        """,
        """
        For bash, write it to ~/.local/share/bash-completion/completions/\(tool), or source it; for zsh to _\(tool) in \
        a folder of $fpath; for fish to ~/.config/fish/completions/\(tool).fish.
        """,
      ],
      examples: [
        ExampleHelp(
          "\(tool) completions bash > ~/.local/share/bash-completion/completions/\(tool)",
          "completes in bash from the next session on"
        ),
        ExampleHelp(
          "\(tool) completions fish > ~/.config/fish/completions/\(tool).fish",
          "the same in fish"
        ),
      ]
    )
  }

  private let shell: CompletionShell

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    shell = try arguments.operand("SHELL") { text throws(UsageError) in
      guard let shell = CompletionShell(rawValue: text) else {
        throw UsageError("\(quoted(text)) is not bash, zsh or fish")
      }
      return shell
    }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let file = shell.file(for: Tool.table.tool)
    context.console.printVerbatim(Array(file.utf8))
    context.console.event("file", ["shell": .string(shell.rawValue), "text": .string(file)])
    return .done
  }
}
