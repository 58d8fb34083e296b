/// Writes XML elements, a line each.
///
/// Text must be of characters that XML has; what is written here is ASCII that was checked where it was read.
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// Writes an element with text in it.
  mutating func write(
    _ name: String,
    _ attributes: KeyValuePairs<String, String> = [:],
    _ content: String
  ) {
    indent()
    text += "<\(name)\(written(attributes))>\(escaped(content))</\(name)>\n"
  }

  /// Writes an element with what `body` writes in it.
  mutating func write(
    _ name: String,
    _ attributes: KeyValuePairs<String, String> = [:],
    _ body: (inout XMLText) -> Void
  ) {
    indent()
    text += "<\(name)\(written(attributes))>\n"
    depth += 1
    body(&self)
    depth -= 1
    indent()
    text += "</\(name)>\n"
  }

  private mutating func indent() { text += String(repeating: " ", count: 2 * depth) }

  private func written(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }

  private func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
