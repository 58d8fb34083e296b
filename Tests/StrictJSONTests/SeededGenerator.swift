import StrictJSON

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  private static let scalars: [Unicode.Scalar] = [
    "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "\u{7F}", "é", "\u{301}",
    "\u{212A}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{10000}", "😀", "\u{10FFFF}",
  ]

  mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...24, using: &self) {
      text.unicodeScalars.append(Self.scalars.randomElement(using: &self) ?? "?")
    }
    return text
  }

  /// Makes a value of at most `depth` levels that the reader accepts.
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &self) {
    case 0: return .null
    case 1: return .boolean(.random(using: &self))
    case 2: return .integer(.random(in: .min ... .max, using: &self))
    case 3: return .integer(.random(in: -20...20, using: &self))
    case 4: return .string(text())
    case 5:
      let count = Int.random(in: 0...5, using: &self)
      return .array((0..<count).map { _ in value(depth: depth - 1) })
    default:
      var object = JSONObject()
      for index in 0..<Int.random(in: 0...12, using: &self) {
        object["\(index)" + text()] = value(depth: depth - 1)
      }
      return .object(object)
    }
  }
}
