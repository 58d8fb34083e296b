/// How the last word of an unfinished command line may go on: a pure value, from the command table alone.
///
/// Global options may stand anywhere, as the tools take them; an option's value follows it or its `=`. What a line means
/// that no tool would take is guessed kindly: completion never fails.
struct Completion: Equatable, Sendable {
  /// A word that may stand there, and what it does.
  struct Candidate: Equatable, Sendable {
    let word: String
    let summary: String
  }

  /// The words that the table knows.
  private(set) var candidates: [Candidate] = []
  /// What else may stand there, which only the disk tells; `text` is nothing.
  private(set) var form = ValueForm.text
  /// What stands before the value in the last word: `--output=`, or nothing.
  private(set) var prefix = ""
  /// The part of the last word that is completed, without ``prefix``.
  let typed: String

  private let table: CommandTable
  private let line: ReadLine

  /// Completes the last of `words`, which follow the tool's name; an empty last word begins a new one.
  init(_ table: CommandTable, _ words: [String]) {
    self.table = table
    let last = words.last ?? ""
    line = ReadLine(table, Array(words.dropLast()))
    let equals = last.utf8.firstIndex(of: UInt8(ascii: "="))
    let isOption = !line.isAfterTerminator && last.utf8.first == UInt8(ascii: "-")
    if line.openOption == nil, isOption, let equals {
      typed = String(last[last.index(after: equals)...])
      prefix = String(last[...equals])
      if let option = line.option(named: String(last[..<equals])) { offer(option.accepts) }
    } else {
      typed = last
      complete(isOption: isOption)
    }
    let typed = Array(typed.utf8)
    candidates.removeAll { !$0.word.utf8.starts(with: typed) }
  }

  static func == (one: Completion, other: Completion) -> Bool {
    (one.candidates, one.form, one.prefix) == (other.candidates, other.form, other.prefix)
  }

  private mutating func complete(isOption: Bool) {
    if let option = line.openOption {
      offer(option.accepts)
    } else if isOption {
      offerOptions()
    } else if line.isHelp {
      offerWords(after: Array(line.plain.dropFirst()))
    } else {
      if !line.isAfterTerminator { offerWords(after: line.plain) }
      guard line.command != nil else { return }
      if let operand = line.nextOperand {
        offer(operand.accepts)
      } else if candidates.isEmpty, !line.isAfterTerminator {
        offerOptions()
      }
    }
  }

  private mutating func offer(_ form: ValueForm) {
    switch form {
    case .words(let words), .known(let words):
      candidates += words.map { Candidate(word: $0, summary: "") }
    default: self.form = form
    }
  }

  private mutating func offerOptions() {
    let used = line.usedOptions
    let options = (line.command?.help.options ?? []) + table.globals.map(\.help)
    candidates += options.filter { $0.isRepeatable || !used.contains($0.name) }
      .map { Candidate(word: $0.name, summary: $0.summary) }
    candidates.append(Candidate(word: "--help", summary: "shows how it is used"))
    if line.plain.isEmpty {
      candidates.append(Candidate(word: "--version", summary: "shows the version"))
    }
  }

  /// Offers the next words of the commands whose names go on after `words`.
  private mutating func offerWords(after words: [String]) {
    for command in table.group(words) where command.name.count > words.count {
      let word = command.name[words.count]
      let isLast = command.name.count == words.count + 1
      if let known = candidates.firstIndex(where: { $0.word.isSame(as: word) }) {
        guard isLast else { continue }
        candidates[known] = Candidate(word: word, summary: command.summary)
      } else {
        let siblings = table.group(words + [word]).compactMap {
          $0.name.dropFirst(words.count + 1).first
        }
        let summary = isLast ? command.summary : siblings.joined(separator: ", ")
        candidates.append(Candidate(word: word, summary: summary))
      }
    }
    guard words.isEmpty, !line.isHelp else { return }
    candidates.append(Candidate(word: "help", summary: "shows how a command is used"))
  }
}

/// The words before the one that is completed, as the tool would understand them.
private struct ReadLine: Sendable {
  private let globals: [OptionHelp]
  /// The words that are no options and no values of options.
  private(set) var plain: [String] = []
  private(set) var usedOptions: Set<String> = []
  /// The option whose value comes next.
  private(set) var openOption: OptionHelp?
  private(set) var isAfterTerminator = false
  private(set) var command: (any Command.Type)?
  private var trailingCount = 0

  init(_ table: CommandTable, _ words: [String]) {
    globals = table.globals.map(\.help)
    for word in words {
      read(word)
      if !isAfterTerminator, let found = try? table.command(named: plain) { command = found }
    }
  }

  var isHelp: Bool { plain.first?.isSame(as: "help") == true }

  func option(named name: String) -> OptionHelp? {
    ((command?.help.options ?? []) + globals).first { $0.name.isSame(as: name) }
  }

  /// The operand that comes next; nil where there is none, or a new word of a command is typed first.
  var nextOperand: OperandHelp? {
    guard let command else { return nil }
    let operands = command.help.operands
    let trailing = operands.first { $0.arity == .trailing }
    if isAfterTerminator, let trailing {
      return trailingCount == 0 ? trailing : OperandHelp(trailing.name, accepts: .file, "")
    }
    var place = plain.count - command.name.count + trailingCount
    for operand in operands where operand.arity != .trailing {
      if operand.arity == .any || operand.arity == .atLeastOne || place == 0 { return operand }
      place -= 1
    }
    return nil
  }

  private mutating func read(_ word: String) {
    if isAfterTerminator {
      trailingCount += 1
    } else if openOption != nil {
      openOption = nil
    } else if word.isSame(as: "--") {
      isAfterTerminator = true
    } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
      let name = String(decoding: word.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      usedOptions.insert(name)
      guard let option = option(named: name), option.value != nil, name.isSame(as: word) else {
        return
      }
      openOption = option
    } else {
      plain.append(word)
    }
  }
}
