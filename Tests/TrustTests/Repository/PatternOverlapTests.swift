import Manifests
import TestSupport
import Testing
import Trust

/// Two repositories never decide about one model.
struct PatternOverlapTests {
  private static let pairs: [(one: String, two: String, overlap: Bool)] = [
    ("acme/*", "acme/*", true), ("acme/*", "acme/tiny", true), ("*", "acme/*", false),
    ("acme/*", "other/*", false), ("lfm2-*", "*-chat", true), ("lfm2-*", "lfm3-*", false),
    ("*a", "*b", false), ("a*b", "*ab", true), ("a*", "*a", true), ("tiny", "tiny", true),
    ("tiny", "tin", false), ("*/tiny", "acme/*", true), ("a*c*e", "ab*d*", true),
    ("a.*", "*.b", true), ("x*y", "x", false), ("x*", "x", true),
  ]

  @Test(arguments: pairs)
  func `patterns overlap where some model matches both`(
    one: String,
    two: String,
    overlap: Bool
  ) throws {
    let (one, two) = (try ModelPattern(one), try ModelPattern(two))
    #expect(one.overlaps(two) == overlap)
    #expect(two.overlaps(one) == overlap)
  }

  @Test func `patterns overlap exactly where a search of all short names finds one`() throws {
    var random = SplitMix64(seed: 42)
    let names = try Self.texts("ab", upTo: 7).map { try ModelName($0) }
    for _ in 0..<400 {
      let patterns = try (0..<2).map { _ in try Self.pattern(&random) }
      let found = names.contains { name in patterns.allSatisfy { $0.matches(name) } }
      #expect(
        patterns[0].overlaps(patterns[1]) == found,
        "\(patterns[0].text) and \(patterns[1].text)"
      )
    }
  }

  private static func pattern(_ random: inout SplitMix64) throws -> ModelPattern {
    while true {
      let count = Int.random(in: 1...4, using: &random)
      let text = String((0..<count).map { _ in "ab*".randomElement(using: &random) ?? "a" })
      if !text.contains("**") { return try ModelPattern(text) }
    }
  }

  private static func texts(_ alphabet: String, upTo count: Int) -> [String] {
    var all: [String] = []
    var last = [""]
    for _ in 0..<count {
      last = last.flatMap { text in alphabet.map { text + String($0) } }
      all += last
    }
    return all
  }
}
