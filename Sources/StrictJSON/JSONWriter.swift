/// Writes values as bytes of JSON text, always the same bytes for the same value.
///
/// But for ``rawCanonical(_:)``, `"`, `\` and U+0000 to U+001F are escaped and nothing else, the latter as `\u00xx` in lower case.
/// Everything else stands as UTF-8. Values nested more deeply than `JSONLimits.greatestDepth` are
/// not meant to be written, and `JSONReader` refuses U+0000 and equivalent names when it reads them back.
package struct JSONWriter {
  /// How members are ordered and where white space stands.
  private enum Layout {
    case canonical, rawCanonical, compact, pretty

    var isSorted: Bool { self == .canonical || self == .rawCanonical }
  }

  private let layout: Layout
  private var output: [UInt8] = []
  private var depth = 0

  /// Writes the form that is signed: members sorted by the UTF-8 bytes of their names, no white space.
  package static func canonical(_ value: JSONValue) -> [UInt8] { write(value, .canonical) }

  /// Writes the form that TUF signs, the canonical JSON of OLPC: sorted members, no white space, raw control characters.
  ///
  /// Only `"` and `\` are escaped, each with a backslash, so that text with a newline gives bytes that are no JSON. It
  /// serves signatures and key identifiers alone; nobody reads it back. Every value has one such form.
  package static func rawCanonical(_ value: JSONValue) -> [UInt8] { write(value, .rawCanonical) }

  /// Writes members in their order, without white space.
  package static func compact(_ value: JSONValue) -> [UInt8] { write(value, .compact) }

  /// Writes members in their order, a line each, indented by two spaces, with a newline at the end.
  package static func pretty(_ value: JSONValue) -> [UInt8] {
    write(value, .pretty) + [UInt8(ascii: "\n")]
  }

  private static func write(_ value: JSONValue, _ layout: Layout) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.write(value)
    return writer.output
  }

  private init(layout: Layout) { self.layout = layout }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .string(let text): writeQuoted(text)
    case .array(let elements):
      writeList(elements, "[", "]") { writer, element in writer.write(element) }
    case .object(let object):
      writeList(ordered(object.members), "{", "}") { writer, member in
        writer.writeQuoted(member.name)
        writer.append(writer.layout == .pretty ? ": " : ":")
        writer.write(member.value)
      }
    }
  }

  private func ordered(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    guard layout.isSorted else { return members }
    return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private mutating func writeList<Item>(
    _ items: [Item],
    _ opening: String,
    _ closing: String,
    _ writeItem: (inout JSONWriter, Item) -> Void
  ) {
    append(opening)
    depth += 1
    for (index, item) in items.enumerated() {
      if index > 0 { append(",") }
      breakLine()
      writeItem(&self, item)
    }
    depth -= 1
    if !items.isEmpty { breakLine() }
    append(closing)
  }

  private mutating func breakLine() {
    guard layout == .pretty else { return }
    append("\n")
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func writeQuoted(_ text: String) {
    append("\"")
    if text.utf8.contains(where: needsEscape) {
      for byte in text.utf8 { appendEscaped(byte) }
    } else {
      append(text)
    }
    append("\"")
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 && layout != .rawCanonical || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    if byte < 0x20, layout != .rawCanonical {
      append("\\u" + hexadecimal(UInt16(byte), digits: 4))
    } else {
      if needsEscape(byte) { append("\\") }
      output.append(byte)
    }
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }
}
