extension CommandTable {
  /// The overview that `--help` prints: commands by section, global options, exit codes.
  package var overview: String {
    var page = HelpPage()
    page.paragraph("\(tool): \(summary)")
    page.paragraph("usage: \(overviewUsage)")
    let width = commands.map { $0.typedName.utf8.count }.max() ?? 0
    for section in sections {
      page.list(
        "\(section.title):",
        section.commands.map { ($0.typedName, $0.summary) },
        width: width
      )
    }
    page.list(
      "global options:",
      globals.map { ($0.help.form, $0.help.summary) } + [
        ("--help", "shows this page, or a command's"),
        ("--version", "shows the version, when it stands before a command"),
      ]
    )
    page.list("exit codes:", ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page.paragraph("\(tool) help COMMAND shows how a command is used")
    return page.text
  }

  /// The page of one command.
  package func page(of command: any Command.Type) -> String {
    let help = command.help
    var page = HelpPage()
    page.paragraph("\(tool) \(command.typedName): \(command.summary)")
    page.paragraph("usage: \(usage(of: command))")
    page.list("operands:", help.operands.map { ($0.name, $0.summary) })
    page.list("options:", help.options.map { ($0.form, summary(of: $0)) })
    for paragraph in help.details { page.paragraph(paragraph) }
    page.list("global options:", globals.map { ($0.help.form, $0.help.summary) })
    page.examples(help.examples)
    return page.text
  }

  /// The page of a word that several commands start with, such as `key`.
  func page(ofGroup commands: [any Command.Type]) -> String {
    var page = HelpPage()
    page.list("commands:", commands.map { ("\(tool) \($0.typedName)", $0.summary) })
    return page.text
  }

  /// The usage line of one command, without the word `usage`.
  package func usage(of command: any Command.Type) -> String {
    let help = command.help
    let words = [tool] + command.name
    if let usage = help.usage { return (words + [usage]).joined(separator: " ") }
    let operands = help.operands.filter { $0.arity != .trailing }
    let required = help.options.filter(\.isRequired)
    let hasMore = help.options.count > required.count
    let parts =
      words + operands.map(\.usage)
      + required.map { $0.isRepeatable ? "\($0.form)..." : $0.form }
      + (hasMore ? ["[options]"] : [])
      + help.operands.filter { $0.arity == .trailing }.map(\.usage)
    return parts.joined(separator: " ")
  }

  /// The usage line of the tool, without the word `usage`.
  var overviewUsage: String { "\(tool) COMMAND [options]" }

  func summary(of option: OptionHelp) -> String {
    switch option.occurrence {
    case .optional: option.summary
    case .required: "\(option.summary) (required)"
    case .repeatable: "\(option.summary) (repeatable)"
    case .repeatedAtLeastOnce: "\(option.summary) (required, repeatable)"
    }
  }
}
