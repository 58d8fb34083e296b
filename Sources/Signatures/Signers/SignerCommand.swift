/// A command line that is split into words here, so that no shell ever sees it.
///
/// Spaces and line ends separate words. Between single quotes everything stands for itself, between double quotes all
/// but a backslash before a double quote, a backslash, a dollar or a backtick; elsewhere a backslash takes the meaning
/// from whatever follows. What only a shell could carry out, such as a pipe, a variable or a pattern of file names, is
/// refused rather than handed on as a word.
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
  private static let forShell = Set("|&;<>()$`*?[]{}".unicodeScalars)
  /// What means something to a shell where a word begins.
  private static let forShellAtStart = Set("~#".unicodeScalars)
  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  /// What a backslash takes the meaning from between double quotes.
  private static let special = Set("\"\\$`".unicodeScalars)

  private var words: [String] = []
  /// The word that has begun, which may be empty if it was quoted.
  private var word: String?
  private var quote: Unicode.Scalar?
  private var isEscaped = false
  /// Whether something in the word was quoted or escaped.
  private var isQuoted = false

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
      isQuoted = true
      word = word ?? ""
    case (_, scalar): quote = nil
    case ("\\", nil), ("\\", "\""): (isEscaped, isQuoted) = (true, true)
    case ("$", "\""), ("`", "\""): throw .forShell(Character(scalar))
    case (" ", nil), ("\t", nil), ("\n", nil): endWord()
    case (_, nil) where isForShell(scalar): throw .forShell(Character(scalar))
    case ("=", nil):
      if let name = assignedName { throw .assignment(name) }
      append(scalar)
    default: append(scalar)
    }
  }

  private func isForShell(_ scalar: Unicode.Scalar) -> Bool {
    Self.forShell.contains(scalar) || word == nil && Self.forShellAtStart.contains(scalar)
  }

  /// The first word so far, where an equals sign after it would make a shell set a variable.
  private var assignedName: String? {
    guard words.isEmpty, !isQuoted, let word, let first = word.utf8.first else { return nil }
    let isName = word.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || Self.letters.contains(byte | 0x20) || Self.digits.contains(byte)
    }
    return isName && !Self.digits.contains(first) ? word : nil
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
    (word, isQuoted) = (nil, false)
  }
}
