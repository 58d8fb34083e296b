/// Builds a help page: paragraphs and two-column lists, 80 columns wide.
struct HelpPage {
  private static let width = 80
  private static let widestTerm = 26
  private var blocks: [String] = []

  /// The page, with an empty line between its parts.
  var text: String { blocks.joined(separator: "\n\n") + "\n" }

  mutating func paragraph(_ text: String) {
    blocks.append(wrapped(text, width: Self.width).joined(separator: "\n"))
  }

  /// Adds a list under `title`; without items nothing is added.
  mutating func list(_ title: String, _ items: [(term: String, text: String)], width: Int = 0) {
    guard !items.isEmpty else { return }
    let widths = items.map { $0.term.utf8.count }.filter { $0 <= Self.widestTerm }
    let column = max(width, widths.max() ?? Self.widestTerm)
    var lines = [title]
    for item in items {
      var texts = wrapped(item.text, width: Self.width - column - 4)[...]
      if item.term.utf8.count > column {
        lines.append("  \(item.term)")
      } else {
        let gap = String(repeating: " ", count: column - item.term.utf8.count + 2)
        lines.append("  \(item.term)\(gap)\(texts.popFirst() ?? "")")
      }
      lines += texts.map { String(repeating: " ", count: column + 4) + $0 }
    }
    blocks.append(lines.joined(separator: "\n"))
  }

  /// Adds a list of sentences under `title`.
  mutating func bullets(_ title: String, _ items: [String]) {
    let lines = items.flatMap { item in
      wrapped(item, width: Self.width - 4).enumerated().map {
        "\($0.offset == 0 ? "  -" : "   ") \($0.element)"
      }
    }
    blocks.append(([title] + lines).joined(separator: "\n"))
  }

  mutating func examples(_ examples: [ExampleHelp]) {
    guard !examples.isEmpty else { return }
    let lines = examples.flatMap { example in
      ["  \(example.line)"] + wrapped(example.summary, width: Self.width - 6).map { "      \($0)" }
    }
    blocks.append((["examples:"] + lines).joined(separator: "\n"))
  }

  /// Returns `text` broken between words into lines of at most `width` columns.
  private func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.utf8.count + word.utf8.count + 1 > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }
}
