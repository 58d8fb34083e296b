/// A command line that is split into words here, so that no shell ever sees it.
///
/// Spaces and line ends separate words. Between single quotes everything stands for itself, between double quotes all
/// but a backslash before a double quote, a backslash, a dollar or a backtick; elsewhere a backslash takes the meaning
/// from whatever follows. What only a shell could carry out, such as a pipe or a variable, is refused rather than handed
/// on as a word.
package struct SignerCommand: Hashable, Sendable {
  /// The program and its arguments; at least one word.
  package let words: [String]

  /// The program as it was typed, which is searched for unless it has a slash in it.
  package var program: String { words.first ?? "" }

  /// Splits `text` into words.
  ///
  /// - Throws: ``SignerError/badCommand(_:)``.
  package init(_ text: String) throws(SignerError) {
    var splitter = WordSplitter()
    for scalar in text.unicodeScalars {
      do { try splitter.add(scalar) } catch { throw .badCommand(error) }
    }
    do { words = try splitter.finish() } catch { throw .badCommand(error) }
  }
}

private struct WordSplitter {
  private static let forShell = Set("|&;<>()$`".unicodeScalars)
  /// What a backslash takes the meaning from between double quotes.
  private static let special = Set("\"\\$`".unicodeScalars)

  private var words: [String] = []
  /// The word that has begun, which may be empty if it was quoted.
  private var word: String?
  private var quote: Unicode.Scalar?
  private var isEscaped = false

  mutating func add(_ scalar: Unicode.Scalar) throws(CommandFault) {
    if isEscaped {
      isEscaped = false
      if quote != nil, !Self.special.contains(scalar) { append("\\") }
      append(scalar)
      return
    }
    switch (scalar, quote) {
    case ("'", nil), ("\"", nil):
      quote = scalar
      word = word ?? ""
    case (_, scalar): quote = nil
    case ("\\", nil), ("\\", "\""): isEscaped = true
    case ("$", "\""), ("`", "\""): throw .forShell(Character(scalar))
    case (" ", nil), ("\t", nil), ("\n", nil): endWord()
    case (_, nil) where Self.forShell.contains(scalar): throw .forShell(Character(scalar))
    default: append(scalar)
    }
  }

  mutating func finish() throws(CommandFault) -> [String] {
    if let quote { throw .openQuote(Character(quote)) }
    if isEscaped { throw .backslashAtEnd }
    endWord()
    guard words.first?.isEmpty == false else { throw .empty }
    return words
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    var text = word ?? ""
    text.unicodeScalars.append(scalar)
    word = text
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }
}
