extension CommandTable {
  /// What is wrong with the table, for a test that expects nothing.
  ///
  /// Reads every example as its command would, and compares the options and operands that the command asked for
  /// with those that its help lists; also finds names that stand twice and options that hide global ones.
  package func problems() -> [String] {
    var problems: [String] = []
    var names: Set<String> = []
    for command in commands where !names.insert(command.typedName).inserted {
      problems.append("\(command.typedName) stands twice in the table")
    }
    return problems + globals.flatMap(problems(of:)) + commands.flatMap(problems(of:))
  }

  private func problems(of command: any Command.Type) -> [String] {
    let help = command.help
    var problems: [String] = []
    let hidden = Set(globals.map(\.help.name) + ["--help"])
    for option in help.options where hidden.contains(option.name) || !isOptionName(option.name) {
      problems.append("\(option.name) cannot name an option of a command")
    }
    if help.examples.isEmpty { problems.append("no example") }
    var askedOptions: Set<ArgumentReader.AskedOption> = []
    for example in help.examples {
      guard var reader = reader(of: example, for: command) else {
        problems.append("\(quoted(example.line)) calls another command")
        continue
      }
      do { _ = try command.init(&reader) } catch {
        problems.append("\(quoted(example.line)) is refused: \(error.message)")
        continue
      }
      askedOptions.formUnion(reader.askedOptions)
      if reader.askedOperands != help.operands.map(\.name) {
        problems.append(
          "operands \(reader.askedOperands) are read, \(help.operands.map(\.name)) listed"
        )
      }
    }
    problems += compared(help.options, askedOptions) + closedSets(of: command)
    return problems.map { "\(command.typedName): \($0)" }
  }

  private func problems(of global: GlobalOption) -> [String] {
    disagreements(about: global.help) { value in
      var reader = ArgumentReader(["\(global.help.name)=\(value)"])
      _ = try GlobalOptions(self, &reader, Settings(environment: [:]))
    }
  }

  /// Compares the words that the help of a command lists for a value with those that are taken.
  private func closedSets(of command: any Command.Type) -> [String] {
    let help = command.help
    let readers = help.examples.compactMap { reader(of: $0, for: command) }
    return help.options.flatMap { option in
      disagreements(about: option) { value in
        let free = readers.filter { reader in
          !reader.rest.contains {
            $0.isSame(as: option.name) || $0.utf8.starts(with: "\(option.name)=".utf8)
          }
        }
        guard var reader = free.first else { throw UsageError("no example without it") }
        reader.rest.insert("\(option.name)=\(value)", at: 0)
        _ = try command.init(&reader)
      }
    }
  }

  private func disagreements(
    about option: OptionHelp,
    _ read: (String) throws -> Void
  ) -> [String] {
    func error(_ value: String) -> UsageError? {
      do { try read(value) } catch { return error as? UsageError }
      return nil
    }
    let about = "\(option.name): "
    switch option.accepts {
    case .words(let words):
      let refused = words.filter { error($0)?.message.utf8.starts(with: about.utf8) == true }
      let isOpen = error("no-such-word")?.message.utf8.starts(with: about.utf8) != true
      return refused.map { "\(about)\($0) is listed but not taken" }
        + (isOpen ? ["\(about)other words than those listed are taken"] : [])
    case .known(let words):
      return words.filter { error($0)?.message.utf8.starts(with: about.utf8) == true }
        .map { "\(about)\($0) is listed but not taken" }
    default: return []
    }
  }

  private func compared(
    _ listed: [OptionHelp],
    _ asked: Set<ArgumentReader.AskedOption>
  ) -> [String] {
    let listed = listed.map {
      ArgumentReader.AskedOption(
        name: $0.name,
        takesValue: $0.value != nil,
        isRepeatable: $0.isRepeatable
      )
    }
    let twice = listed.enumerated().filter { listed.firstIndex(of: $0.element) != $0.offset }
    return twice.map { "\($0.element.name) is listed twice" }
      + listed.filter { !asked.contains($0) }.map { "\(description($0)) is listed but not read" }
      + asked.subtracting(listed).map { "\(description($0)) is read but not listed" }.sorted()
  }

  private func description(_ option: ArgumentReader.AskedOption) -> String {
    option.name + (option.takesValue ? " VALUE" : "") + (option.isRepeatable ? "..." : "")
  }

  private func isOptionName(_ name: String) -> Bool {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
    return name.utf8.starts(with: "--".utf8) && name.utf8.count > 2
      && name.utf8.allSatisfy(allowed.contains)
  }

  /// The reader of an example's arguments, or nil when its words are not the command's.
  private func reader(of example: ExampleHelp, for command: any Command.Type) -> ArgumentReader? {
    let words = shellWords(example.line)
    guard words.first == tool, words.dropFirst().starts(with: command.name) else { return nil }
    return ArgumentReader(Array(words.dropFirst(1 + command.name.count)))
  }

  /// Returns the words of the first command in a shell line, with quotes taken off.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch character {
      case quote: quote = nil
      case _ where quote != nil: word = (word ?? "") + String(character)
      case "'", "\"": (quote, word) = (character, word ?? "")
      case " ":
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return Array(words.prefix { !["|", ">", "&&", "&", ";"].contains($0) })
  }
}
