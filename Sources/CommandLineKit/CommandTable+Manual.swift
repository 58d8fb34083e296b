extension CommandTable {
  /// The names of the tool's manual pages: that of the tool, then one for each command.
  package var manualPages: [String] { [tool] + commands.map(manualPage) }

  private func manualPage(of command: any Command.Type) -> String {
    ([tool] + command.name).joined(separator: "-")
  }

  /// Returns the manual page that `words` name: none the tool's, else a command's words or the name of a page.
  package func manual(_ words: [String]) throws(UsageError) -> String {
    let name = words.joined(separator: "-")
    if name.isEmpty || name.isSame(as: tool) { return manualOfTool }
    let known = commands.first {
      name.isSame(as: manualPage(of: $0)) || name.isSame(as: $0.name.joined(separator: "-"))
    }
    if let known { return manual(of: known) }
    let near = suggestion(
      for: name,
      among: manualPages + commands.map { $0.name.joined(separator: "-") }
    )
    throw UsageError(
      "there is no manual page \(quoted(name))",
      helps: [near.map { "did you mean \($0)?" } ?? "\(tool) man --list lists the pages"]
    )
  }

  private var date: ManPage.Date {
    guard let date = ManPage.Date(released) else { preconditionFailure("\(released) is no day") }
    return date
  }

  private var manualOfTool: String {
    var page = ManPage(name: tool, summary: summary, tool: tool, version: version, date: date)
    page.section("SYNOPSIS")
    page.synopsis(tool, [.operand("COMMAND"), .optional([.operand("options")])])
    page.section("DESCRIPTION")
    page.paragraph("\(tool) \(summary).")
    page.paragraph("Each command has a page of its own, as \(manualPages[1]) is one.")
    for section in sections {
      page.paragraph("\(section.title):")
      page.list(section.commands.map { (.command($0.typedName), $0.summary) })
    }
    page.section("OPTIONS")
    page.paragraph("These may stand before or after the words of every command.")
    page.list(globals.map { (.option($0.help), $0.help.summary) })
    addEnvironment(to: &page)
    page.section("EXIT STATUS")
    addExitCodes(to: &page)
    page.seeAlso(commands.map(manualPage).sorted())
    return page.text
  }

  private func manual(of command: any Command.Type) -> String {
    let help = command.help
    let name = manualPage(of: command)
    var page = ManPage(
      name: name,
      summary: command.summary,
      tool: tool,
      version: version,
      date: date
    )
    page.section("SYNOPSIS")
    page.synopsis("\(tool) \(command.typedName)", synopsis(of: help))
    page.section("DESCRIPTION")
    page.paragraph("This command \(command.summary).")
    for paragraph in help.details { page.paragraph(paragraph) }
    if !help.operands.isEmpty { page.paragraph("The operands are:") }
    page.list(help.operands.map { (.operand($0.name), $0.summary) })
    page.section("OPTIONS")
    page.list(help.options.map { (.option($0), summary(of: $0)) })
    page.paragraph("Every command of \(tool) takes these as well:")
    page.list(globals.map { (.option($0.help), $0.help.summary) })
    page.section("EXIT STATUS")
    addExitCodes(to: &page)
    page.section("EXAMPLES")
    for example in help.examples { page.example(example.line, example.summary) }
    page.seeAlso([tool] + siblings(of: command).map(manualPage).sorted())
    return page.text
  }

  /// The other commands of the section that a command stands in.
  private func siblings(of command: any Command.Type) -> [any Command.Type] {
    let section = sections.first { $0.commands.contains { $0.name == command.name } }
    return (section?.commands ?? []).filter { $0.name != command.name }
  }

  private func synopsis(of help: CommandHelp) -> [ManPage.Part] {
    if let usage = help.usage { return [.verbatim(usage)] }
    let options = help.options.filter(\.isRequired) + help.options.filter { !$0.isRequired }
    return options.map { option in
      switch option.occurrence {
      case .required: .option(option)
      case .repeatedAtLeastOnce: .repeated([.option(option)])
      case .optional: .optional([.option(option)])
      case .repeatable: .optional([.option(option), .code("...")])
      }
    } + help.operands.map(\.manual)
  }

  private func addEnvironment(to page: inout ManPage) {
    page.section("ENVIRONMENT")
    page.paragraph(
      "An option on the command line beats its variable. An empty variable counts as absent."
    )
    page.list(
      globals.map { global in
        let name = String(global.help.name.dropFirst(2))
        return (.variable(Settings.variable(name)), "stands for \(global.help.form)")
      } + [(.variable("NO_COLOR"), "takes colour from messages, whatever else is said")]
    )
  }

  private func addExitCodes(to page: inout ManPage) {
    page.list(ExitCode.allCases.map { (.code("\($0.rawValue)"), $0.meaning) })
    page.paragraph("\(tool) explain CODE says what each of them, and each kind of message, means.")
  }
}

extension OperandHelp {
  fileprivate var manual: ManPage.Part {
    switch arity {
    case .one: .operand(name)
    case .optional: .optional([.operand(name)])
    case .any: .optional([.operand(name), .code("...")])
    case .atLeastOne: .repeated([.operand(name)])
    case .trailing: .repeated([.terminator, .operand(name)])
    }
  }
}
