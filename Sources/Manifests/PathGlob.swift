/// A pattern for paths: `*` and `?` stand for what they do in a shell and cross no `/`, `**` for anything.
package struct PathGlob: Hashable, Sendable {
  package let text: String
  private let pattern: [UInt8]

  package init(_ text: String) {
    self.text = text
    pattern = Array(text.utf8)
  }

  package func matches(_ path: String) -> Bool { Self.matches(pattern[...], Array(path.utf8)[...]) }

  /// Compares with one place to come back to for each kind of star, so that no pattern takes long.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
    // What each length of the pattern reaches, row by row, as in the comparison of texts.
    let tokens = Self.tokens(of: pattern)
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    reached[0] = true
    for (index, token) in tokens.enumerated() where token.isStar {
      reached[index + 1] = reached[index]
    }
    for byte in path {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      for (index, token) in tokens.enumerated() {
        if token.isStar {
          next[index + 1] = next[index] || token.accepts(byte) && reached[index + 1]
        } else {
          next[index + 1] = reached[index] && token.accepts(byte)
        }
      }
      reached = next
    }
    return reached.last ?? false
  }

  private enum Token {
    case byte(UInt8)
    case one, star, anything

    var isStar: Bool {
      switch self {
      case .star, .anything: true
      case .byte, .one: false
      }
    }

    func accepts(_ byte: UInt8) -> Bool {
      switch self {
      case .byte(let own): own == byte
      case .one, .star: byte != UInt8(ascii: "/")
      case .anything: true
      }
    }
  }

  private static func tokens(of pattern: ArraySlice<UInt8>) -> [Token] {
    var tokens: [Token] = []
    var rest = pattern
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.one)
      case UInt8(ascii: "*"):
        let isDouble = rest.first == byte
        rest = rest.drop { $0 == byte }
        tokens.append(isDouble ? .anything : .star)
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }
}
