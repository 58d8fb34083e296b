/// Status and header fields of one final response.
package struct ResponseHead: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    /// In lower case.
    let name: [UInt8]
    /// Without spaces around it.
    let value: [UInt8]
  }

  package let status: Int
  package private(set) var fields: [Field] = []
  /// What makes the head unusable, found while reading it.
  package private(set) var defect: String?

  /// The most fields that are read.
  static let fieldLimit = 200

  package init(status: Int, fields: KeyValuePairs<String, String> = [:]) {
    self.status = status
    for (name, value) in fields { add(name: Array(name.utf8), value: Array(value.utf8)) }
  }

  /// Reads a status line, `HTTP/1.1 206 Partial Content`; nil for anything else.
  package init?(statusLine line: [UInt8]) {
    let words = line.split(separator: UInt8(ascii: " "))
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      let status = fieldNumber(words[1])
    else { return nil }
    self.status = status
  }

  /// Reads a field line without its line end.
  package mutating func add(line: [UInt8]) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      !line[..<colon].contains(where: { $0 <= 0x20 || $0 == 0x7f })
    else {
      defect = defect ?? "field line \"\(printable(line))\""
      return
    }
    add(name: Array(line[..<colon]), value: trimmed(line[(colon + 1)...]))
  }

  private mutating func add(name: [UInt8], value: [UInt8]) {
    guard fields.count < Self.fieldLimit else {
      defect = defect ?? "more than \(Self.fieldLimit) fields"
      return
    }
    fields.append(Field(name: lowered(name), value: value))
  }

  /// The values of all fields of this name, which is given in lower case.
  package func values(of name: String) -> [[UInt8]] {
    fields.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
  }
}
