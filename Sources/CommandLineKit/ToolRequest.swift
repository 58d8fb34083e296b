/// What a command line asks a tool to do, once the global options are taken off.
enum ToolRequest {
  case show(String)
  case missingCommand
  case run(any Command.Type)

  /// Reads the command's words off the front of `arguments`, which keep the command's own.
  ///
  /// `--help` counts wherever it stands before `--`, `--version` only in front, since commands have such options.
  init(_ table: CommandTable, _ arguments: inout ArgumentReader) throws(UsageError) {
    let wantsHelp = arguments.takeHelp()
    let words = arguments.leadingWords
    if words.isEmpty {
      if wantsHelp {
        self = .show(table.overview)
      } else if arguments.takeLeading("--version") {
        self = .show("\(table.tool) \(table.version)\n")
      } else if let option = arguments.leadingOption {
        throw .unknownOption(
          option,
          known: table.globals.map(\.help.name) + ["--help", "--version"]
        )
      } else {
        self = .missingCommand
      }
    } else if words[0] == "help" || wantsHelp {
      let topic = words[0] == "help" ? Array(words.dropFirst()) : words
      self = .show(try Self.page(of: topic, table))
    } else {
      let command = try table.command(named: words)
      arguments.dropLeading(command.name.count)
      self = .run(command)
    }
  }

  private static func page(of words: [String], _ table: CommandTable) throws(UsageError) -> String {
    if words.isEmpty { return table.overview }
    do { return table.page(of: try table.command(named: words)) } catch {
      let group = table.group(words)
      guard !group.isEmpty else { throw error }
      return table.page(ofGroup: group)
    }
  }
}

extension ArgumentReader {
  /// The arguments before the first that looks like an option.
  fileprivate var leadingWords: [String] {
    Array(rest.prefix { $0.utf8.first != UInt8(ascii: "-") })
  }

  /// The option that everything starts with, if one does.
  fileprivate var leadingOption: String? {
    rest.first.flatMap { $0.utf8.first == UInt8(ascii: "-") ? $0 : nil }
  }

  fileprivate mutating func takeHelp() -> Bool {
    let count = rest.count
    rest.removeAll { $0.isSame(as: "--help") || $0.isSame(as: "-h") }
    return rest.count < count
  }

  fileprivate mutating func takeLeading(_ name: String) -> Bool {
    guard rest.first?.isSame(as: name) == true else { return false }
    rest.removeFirst()
    return true
  }

  fileprivate mutating func dropLeading(_ count: Int) { rest.removeFirst(count) }
}
