/// Builds a manual page in mdoc, the macros of manual pages that `man` and `mandoc` both read.
///
/// Texts go in as they are; what the formatter would take for a macro or an escape is spelled out.
struct ManPage {
  private var lines: [String] = []

  /// The page, ready for `man -l`.
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Begins a page of section 1; `date` is that of the tool's version, as `2026-11-30`.
  init(name: String, summary: String, tool: String, version: String, date: Date) {
    lines = [
      ".Dd \(date.text)", ".Dt \(name.uppercased()) 1", ".Os \(Self.escaped("\(tool) \(version)"))",
      ".Sh NAME", ".Nm \(name)", ".Nd \(Self.escaped(summary))",
    ]
  }

  mutating func section(_ title: String) { lines.append(".Sh \(title)") }

  mutating func paragraph(_ text: String) {
    if lines.last?.utf8.starts(with: ".Sh".utf8) == false { lines.append(".Pp") }
    lines += Self.wrapped(text)
  }

  /// Adds a usage line: `words`, then each part.
  mutating func synopsis(_ words: String, _ parts: [Part]) {
    lines.append(".Nm \(words)")
    lines += parts.map { $0.line }
  }

  /// Adds a list of terms with their texts; without items nothing is added.
  mutating func list(_ items: [(term: Part, text: String)]) {
    guard !items.isEmpty else { return }
    lines.append(".Bl -tag -width Ds")
    for item in items {
      lines.append(".It \(item.term.macros)")
      lines += Self.wrapped(item.text)
    }
    lines.append(".El")
  }

  /// Adds a command line and what it does.
  mutating func example(_ line: String, _ text: String) {
    paragraph(text.prefix(1).uppercased() + text.dropFirst() + ":")
    lines.append(".Bd -literal -offset indent")
    lines.append(Self.escaped(line))
    lines.append(".Ed")
  }

  mutating func seeAlso(_ pages: [String]) {
    guard !pages.isEmpty else { return }
    section("SEE ALSO")
    for (index, page) in pages.enumerated() {
      lines.append(".Xr \(page) 1\(index < pages.count - 1 ? " ," : "")")
    }
  }

  /// A piece of a usage line.
  enum Part {
    case option(OptionHelp)
    case operand(String)
    case command(String)
    case code(String)
    /// The `--` before another program's words.
    case terminator
    case variable(String)
    case optional([Part])
    case repeated([Part])
    /// What stands in the help as one text.
    case verbatim(String)

    fileprivate var line: String {
      switch self {
      case .optional(let parts): ".Op \(parts.map(\.macros).joined(separator: " "))"
      case .repeated(let parts): ".\(parts.map(\.macros).joined(separator: " ")) ..."
      case .verbatim(let text): ManPage.escaped(text)
      default: ".\(macros)"
      }
    }

    fileprivate var macros: String {
      switch self {
      case .option(let option):
        "Fl \(ManPage.argument(String(option.name.dropFirst())))"
          + (option.value.map { " Ar \(ManPage.argument($0))" } ?? "")
      case .operand(let name): "Ar \(ManPage.argument(name))"
      case .command(let name): "Cm \(ManPage.argument(name))"
      case .code(let code): "\(ManPage.argument(code))"
      case .terminator: "Fl \"\\&\\-\""
      case .variable(let name): "Ev \(ManPage.argument(name))"
      case .optional(let parts), .repeated(let parts):
        parts.map(\.macros).joined(separator: " ")
      case .verbatim(let text): ManPage.argument(text)
      }
    }
  }

  /// A day, as manual pages write it.
  struct Date: Sendable {
    let text: String

    /// Reads `2026-11-30`; nil for anything else.
    init?(_ day: String) {
      let parts = day.split(separator: "-").compactMap { Int($0) }
      guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else {
        return nil
      }
      let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
      text = "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
    }
  }

  /// Returns the lines of a running text, each sentence on lines of its own, as the formatters want it.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let endsSentence = line.utf8.last == UInt8(ascii: ".") && word.first?.isUppercase == true
      if endsSentence || line.utf8.count + word.utf8.count >= 72 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return (lines + [line]).filter { !$0.isEmpty }.map(escaped)
  }

  /// The text of a line: no escapes, and no macro at its start.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\n": result += " "
      case "'" where !result.isEmpty: result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.unicodeScalars.append(scalar)
      }
    }
    let first = text.utf8.first
    return first == UInt8(ascii: ".") || first == UInt8(ascii: "'") ? "\\&\(result)" : result
  }

  /// One argument of a macro, which is never taken for a macro itself.
  private static func argument(_ text: String) -> String {
    "\"\\&\(escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq"))\""
  }
}
