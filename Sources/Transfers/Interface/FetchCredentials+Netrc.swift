extension FetchCredentials {
  /// Why the text of a netrc file cannot be used; never with the text itself.
  package enum NetrcError: Error, Hashable, Sendable {
    case notText
    /// The entry of this number has no login or no password, or a word that is none of netrc's.
    case malformed(entry: Int)
  }

  /// Adds the entries of a netrc file: `machine HOST login NAME password WORD`, and `default` for all other hosts.
  ///
  /// Words stand between spaces and line ends; one in double quotes may have spaces, and `\` before a sign. An
  /// entry without password is left out; comments begin with `#`; what follows `macdef` is skipped to the next
  /// empty line.
  package mutating func add(netrc bytes: [UInt8]) throws(NetrcError) {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw .notText
    }
    var words = NetrcWords(text)
    var entry = 0
    var current: (host: String?, user: String?, password: String?)?
    while let word = words.next() {
      switch word {
      case "machine", "default":
        if let current { add(current) }
        entry += 1
        guard word == "default" else {
          guard let host = words.next() else { throw .malformed(entry: entry) }
          current = (host, nil, nil)
          continue
        }
        current = (nil, nil, nil)
      case "login", "password", "account":
        guard let value = words.next(), current != nil else { throw .malformed(entry: entry) }
        if word == "login" { current?.user = value }
        if word == "password" { current?.password = value }
      case "macdef": words.skipMacro()
      default: throw .malformed(entry: entry)
      }
    }
    if let current { add(current) }
  }

  private mutating func add(_ entry: (host: String?, user: String?, password: String?)) {
    guard let password = entry.password else { return }
    add(user: entry.user ?? "", password: password, for: entry.host)
  }
}

/// The words of a netrc file.
private struct NetrcWords {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func next() -> String? {
    while let first = rest.first {
      if first == UInt8(ascii: "#") {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if isSpace(first) {
        rest.removeFirst()
      } else {
        return first == UInt8(ascii: "\"") ? quoted() : plain()
      }
    }
    return nil
  }

  mutating func skipMacro() {
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "\n"), rest.first == UInt8(ascii: "\n") { return }
    }
  }

  private mutating func plain() -> String {
    let word = rest.prefix { !isSpace($0) }
    rest = rest.dropFirst(word.count)
    return String(decoding: Array(word), as: UTF8.self)
  }

  private mutating func quoted() -> String {
    rest.removeFirst()
    var word: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      word.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: word, as: UTF8.self)
  }

  private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
