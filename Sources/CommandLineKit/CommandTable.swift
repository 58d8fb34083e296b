/// Everything a tool offers: its commands, its global options, and who it is.
package struct CommandTable: Sendable {
  /// Commands that belong together, under a title in the overview.
  package struct Section: Sendable {
    package let title: String
    package let commands: [any Command.Type]

    package init(_ title: String, _ commands: [any Command.Type]) {
      self.title = title
      self.commands = commands
    }
  }

  package let tool: String
  package let version: String
  /// The day of the version, which its manual pages bear.
  package let released: String
  /// What the tool does, in one line that starts in lower case and has no full stop.
  package let summary: String
  package let globals: [GlobalOption]
  package let sections: [Section]
  /// What `explain` says of exit codes and kinds, in the order of its list.
  package let pages: [KindPage]

  /// Creates a table; `pages` are those of the kinds that the tool reports, without those of the exit codes.
  package init(
    tool: String,
    version: String,
    released: String = "2026-11-30",
    summary: String,
    globals: [GlobalOption] = [.json, .quiet, .verbose, .color],
    sections: [Section],
    pages: [KindPage] = []
  ) {
    self.tool = tool
    self.version = version
    self.released = released
    self.summary = summary
    self.globals = globals
    self.sections = sections
    self.pages = KindPage.exitCodes + pages
  }

  /// All commands, in the order of the overview.
  package var commands: [any Command.Type] { sections.flatMap(\.commands) }
}

// MARK: Finding a command

extension CommandTable {
  /// Returns the command that the first of `words` name, longest name first; `words` may go on with operands.
  ///
  /// Throws for unknown words, with the nearest known name as help.
  func command(named words: [String]) throws(UsageError) -> any Command.Type {
    let matching = commands.filter { starts(words, with: $0.name) }
    if let command = matching.max(by: { $0.name.count < $1.name.count }) { return command }
    throw unknownCommand(words)
  }

  /// The commands whose names start with `words`.
  func group(_ words: [String]) -> [any Command.Type] {
    commands.filter { starts($0.name, with: words) }
  }

  private func starts(_ words: [String], with prefix: [String]) -> Bool {
    words.count >= prefix.count && zip(words, prefix).allSatisfy { $0.isSame(as: $1) }
  }

  private func unknownCommand(_ words: [String]) -> UsageError {
    guard let first = words.first else {
      return UsageError("a command is missing", helps: ["\(tool) --help lists the commands"])
    }
    let siblings = group([first])
    guard !siblings.isEmpty else {
      let near = suggestion(for: first, among: unique(commands.compactMap { $0.name.first }))
      return UsageError(
        "unknown command \(quoted(first))",
        helps: [near.map { "did you mean \($0)?" } ?? "\(tool) --help lists the commands"]
      )
    }
    let choices = siblings.map { $0.typedName }.joined(separator: ", ")
    guard words.count > 1 else {
      return UsageError("\(first) needs another word", helps: ["choose one of: \(choices)"])
    }
    let typed = words.prefix(2).joined(separator: " ")
    let near = suggestion(for: typed, among: siblings.map { $0.typedName })
    return UsageError(
      "unknown command \(quoted(typed))",
      helps: [near.map { "did you mean \($0)?" } ?? "choose one of: \(choices)"]
    )
  }

  private func unique(_ words: [String]) -> [String] {
    words.enumerated().filter { words.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
