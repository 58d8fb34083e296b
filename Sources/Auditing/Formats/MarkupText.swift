/// Writes elements of XML, which HTML shares where it matters: every text in them is escaped.
///
/// Text from outside is made visible first, so that no character is left that XML forbids or that turns what a person
/// reads.
struct MarkupText {
  private(set) var text: String
  private let breaksLines: Bool
  private var depth = 0

  /// - Parameters:
  ///   - opening: What stands at the beginning, as it is.
  ///   - breaksLines: Whether each element has lines of its own, indented by its depth.
  init(_ opening: String = "", breaksLines: Bool = false) {
    (text, self.breaksLines) = (opening, breaksLines)
  }

  /// The text with what markup obeys written as references.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  typealias Attributes = KeyValuePairs<String, String>

  /// Writes an element with what `body` writes in it.
  mutating func write(
    _ name: String,
    _ attributes: Attributes = [:],
    _ body: (inout MarkupText) -> Void
  ) {
    breakLine()
    text += "<\(name)\(Self.written(attributes))>"
    depth += 1
    body(&self)
    depth -= 1
    breakLine()
    text += "</\(name)>"
  }

  /// Writes an element with text in it.
  mutating func write(_ name: String, _ attributes: Attributes = [:], _ content: String) {
    breakLine()
    text += "<\(name)\(Self.written(attributes))>\(Self.escaped(content))</\(name)>"
  }

  /// Writes an element with several lines of text in it.
  mutating func write(_ name: String, _ attributes: Attributes = [:], lines: [String]) {
    breakLine()
    let content = lines.map(Self.escaped).joined(separator: "\n")
    text += "<\(name)\(Self.written(attributes))>\(content)</\(name)>"
  }

  /// Writes an element without anything in it.
  mutating func writeEmpty(_ name: String, _ attributes: Attributes = [:]) {
    breakLine()
    text += "<\(name)\(Self.written(attributes))/>"
  }

  /// Writes the opening tag of an element of HTML that has no end.
  mutating func writeVoid(_ name: String, _ attributes: Attributes = [:]) {
    breakLine()
    text += "<\(name)\(Self.written(attributes))>"
  }

  /// Writes text between elements.
  mutating func write(text content: String) { text += Self.escaped(content) }

  /// Writes markup that was made here, as it is.
  mutating func write(markup: String) { text += markup }

  private mutating func breakLine() {
    guard breaksLines else { return }
    text += "\n" + String(repeating: "  ", count: depth)
  }

  private static func written(_ attributes: Attributes) -> String {
    attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }
}
