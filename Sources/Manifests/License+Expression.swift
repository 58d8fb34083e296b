extension License {
  /// Whether the text has the grammar of an SPDX licence expression (SPDX 3.0.1, annex B).
  ///
  /// Identifiers are not looked up: `AND`, `OR`, `WITH`, each all in upper or all in lower case, parentheses, `+` and
  /// `LicenseRef-` stand where they may, and what is between them is one word. So `Apache 2.0` is none, and `Apache-9.9`
  /// is.
  package var isExpression: Bool {
    var words = Self.words(of: text)[...]
    return Self.takeExpression(&words) && words.isEmpty
  }

  private static let joints: [Substring] = ["AND", "OR", "and", "or"]
  private static let additions: [Substring] = ["WITH", "with"]

  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    for piece in text.split(separator: " ") {
      var rest = piece
      while let bracket = rest.firstIndex(where: { $0 == "(" || $0 == ")" }) {
        if bracket > rest.startIndex { words.append(rest[..<bracket]) }
        words.append(rest[bracket...bracket])
        rest = rest[rest.index(after: bracket)...]
      }
      if !rest.isEmpty { words.append(rest) }
    }
    return words
  }

  private static func takeExpression(_ words: inout ArraySlice<Substring>) -> Bool {
    while true {
      guard takeTerm(&words) else { return false }
      guard let joint = words.first, joints.contains(joint) else { return true }
      words.removeFirst()
    }
  }

  private static func takeTerm(_ words: inout ArraySlice<Substring>) -> Bool {
    guard let first = words.popFirst() else { return false }
    if first == "(" { return takeExpression(&words) && words.popFirst() == ")" }
    guard isIdentifier(first.hasSuffix("+") ? first.dropLast() : first) else { return false }
    guard let word = words.first, additions.contains(word) else { return true }
    words.removeFirst()
    return words.popFirst().map { isIdentifier($0) } ?? false
  }

  /// One word of letters, digits, dots and hyphens; a name of another document may stand before a free one.
  private static func isIdentifier(_ word: Substring) -> Bool {
    var name = word
    if word.hasPrefix("DocumentRef-"), let colon = word.firstIndex(of: ":") {
      name = word[word.index(after: colon)...]
      guard name.hasPrefix("LicenseRef-") else { return false }
    }
    if name == "LicenseRef-" || (joints + additions).contains(name) { return false }
    return !name.isEmpty
      && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".-".utf8.contains($0) }
  }
}
