/// A tool as the commands see it that every tool has: `explain`, `completions`, `man`.
package protocol CommandLineTool: Sendable {
  static var table: CommandTable { get }

  /// Returns names that exist now and that a value of this form may be, for a shell that completes a word.
  ///
  /// Runs while a person waits with a finger on a key: it costs a look at folders, and asks no network.
  static func names(for form: ValueForm, _ context: CommandContext) throws -> [String]
}

extension CommandLineTool {
  package static func names(for form: ValueForm, _ context: CommandContext) throws -> [String] {
    []
  }
}

extension CommandTable.Section {
  /// The commands about a tool itself, the same in every tool.
  package static func tool<Tool: CommandLineTool>(_ tool: Tool.Type) -> CommandTable.Section {
    CommandTable.Section(
      "Help",
      [
        ExplainCommand<Tool>.self, CompletionsCommand<Tool>.self, CandidatesCommand<Tool>.self,
        ManCommand<Tool>.self,
      ]
    )
  }
}
