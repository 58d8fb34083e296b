import Manifests
import TestSupport
import Testing
import Trust

struct ModelPatternTests {
  @Test(arguments: [
    ("lfm2-2.6b", "lfm2-2.6b"), ("lfm2-*", "lfm2-2.6b"), ("*", "lfm2-2.6b"), ("*b", "lfm2-2.6b"),
    ("lfm2-*b", "lfm2-2.6b"), ("*2*", "lfm2-2.6b"), ("l*2*6*", "lfm2-2.6b"), ("*.*.*", "a.b.c"),
    ("a*", "a"), ("acme/*", "acme/tiny-chat"), ("*/*", "acme/tiny-chat"),
    ("*/tiny-*", "acme/tiny-chat"), ("ac*/*chat", "acme/tiny-chat"),
  ])
  func `a pattern matches`(pattern: String, name: String) throws {
    #expect(try ModelPattern(pattern).matches(ModelName(name)))
  }

  @Test(arguments: [
    ("lfm2", "lfm2-2.6b"), ("lfm2-*", "lfm1-2.6b"), ("*c", "lfm2-2.6b"), ("a*a", "a"),
    ("lfm2-*-b", "lfm2-b"), ("*", "acme/tiny-chat"), ("acme*", "acme/tiny-chat"),
    ("acme*chat", "acme/tiny-chat"), ("*/*", "acme"), ("acme/*", "acme"),
    ("acme/*", "acme2/tiny-chat"), ("a.c", "abc"), ("acme/tiny", "acme/tiny-chat"),
  ])
  func `a pattern does not match, and a star never crosses a slash`(
    pattern: String,
    name: String
  ) throws {
    #expect(try !ModelPattern(pattern).matches(ModelName(name)))
  }

  @Test(arguments: [
    "", "/", "a/", "/a", "a//b", "a/b/c", "A", "a b", "a?", "[a]", "ä", "a\u{0}", "a\n", "*\u{301}",
    String(repeating: "a", count: 132), "**", "acme/**", "a**b", "../x", "x/..", ".", "..", ".*",
    "*.",
    "-*", "*_", "_", "a..b", "*..*", "x.json", "*.json", "acme/*.json", "a.json/*",
    "*" + String(repeating: "a", count: 65), String(repeating: "a", count: 63) + "-*",
  ])
  func `what is no pattern is refused`(text: String) {
    #expect(throws: TrustError.badPattern(text)) { try ModelPattern(text) }
  }

  @Test(arguments: [
    "a.js*on", "a.json*", "*json", "*.*.*", "a*.json0", "*-*", "*.js*on", "a.json*/b",
    String(repeating: "a", count: 64), String(repeating: "a", count: 62) + "-*",
  ])
  func `a pattern that matches some name is taken`(text: String) throws {
    #expect(try ModelPattern(text).text == text)
  }

  @Test func `a pattern is taken if, and only if, some name matches it`() {
    let names = Self.texts(of: "a.-", upTo: 5).filter { (try? ModelName($0)) != nil }
      .map { Array($0.utf8)[...] }
    for text in Self.texts(of: "a.-*", upTo: 4) where !text.contains("**") {
      let isMatched = names.contains { Self.matches(Array(text.utf8)[...], $0) }
      #expect(((try? ModelPattern(text)) != nil) == isMatched, "\(text)")
    }
  }

  /// All texts of these characters of up to so many.
  private static func texts(of characters: String, upTo count: Int) -> [String] {
    var (all, last) = ([String](), [""])
    for _ in 0..<count {
      last = last.flatMap { text in characters.map { text + String($0) } }
      all += last
    }
    return all
  }

  @Test func `the longest pattern has two full segments and a star in each`() throws {
    let segment = String(repeating: "a", count: 64)
    let pattern = try ModelPattern("\(segment)*/\(segment)*")
    #expect(try pattern.matches(ModelName("\(segment)/\(segment)")))
  }

  @Test func `matching agrees with the definition on random patterns`() throws {
    var random = SplitMix64(seed: 42)
    for _ in 0..<3000 {
      let pattern = Self.text(of: ["a", "b", "*"], &random)
      if pattern.contains("**") { continue }
      let name = Self.text(of: ["a", "b"], &random)
      let expected = Self.matches(Array(pattern.utf8)[...], Array(name.utf8)[...])
      #expect(
        try ModelPattern(pattern).matches(ModelName(name)) == expected,
        "\(pattern) \(name)"
      )
    }
  }

  @Test func `a pattern full of stars is judged at once`() throws {
    let pattern = try ModelPattern(String(repeating: "*a", count: 32) + "b")
    #expect(try !pattern.matches(ModelName(String(repeating: "a", count: 64))))
  }

  private static func text(of parts: [String], _ random: inout SplitMix64) -> String {
    (0..<Int.random(in: 1...7, using: &random))
      .map { _ in parts[Int.random(in: parts.indices, using: &random)] }.joined()
  }

  /// A star is nothing, or one byte and the same star again.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == UInt8(ascii: "*") {
      return matches(pattern.dropFirst(), name)
        || (!name.isEmpty && matches(pattern, name.dropFirst()))
    }
    return name.first == first && matches(pattern.dropFirst(), name.dropFirst())
  }
}
