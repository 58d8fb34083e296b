/// Where a value stands in its document; put into words only when something is wrong there.
indirect enum JSONPath: Sendable {
  case document
  case member(of: JSONPath, name: String)
  case element(of: JSONPath, index: Int)
}

extension JSONPath: CustomStringConvertible {
  /// The path as in `predicate.files["a b.gguf"].size` or `runtimes[0].min`; empty for the document.
  ///
  /// It is printable ASCII, whatever the document holds.
  var description: String {
    switch self {
    case .document: ""
    case .element(let parent, let index): "\(parent)[\(index)]"
    case .member(let parent, let name) where Self.isPlain(name):
      if case .document = parent { name } else { "\(parent).\(name)" }
    case .member(let parent, let name): "\(parent)[\(quoted(name))]"
    }
  }

  /// Says whether a name may stand without quotes.
  private static func isPlain(_ name: String) -> Bool {
    guard (1...64).contains(name.utf8.count) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
