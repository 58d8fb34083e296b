import Manifests
import ReleaseSimulator
import TestSupport
import Testing
import Trust

struct MostSpecificRuleTests {
  /// The model, then its patterns from the least to the most specific.
  private static let table: [(String, [String])] = [
    (
      "lfm2-2.6b",
      ["*", "*b", "*-2.6b", "l*", "lfm2-*", "lfm2-*b", "lfm2-2.6b*", "lfm2-2.6b"]
    ),
    ("acme/tiny", ["*/*", "*/tiny", "acme*/*", "acme/*", "acme/t*", "acme/tiny"]),
    // The same prefix and as many literals: fewer stars are more specific, then later bytes.
    ("abcd", ["a*c*d", "ab*d"]), ("abcb", ["a*b*", "a*c*"]),
  ]

  @Test(arguments: table)
  func `patterns of one model have one order`(name: String, patterns: [String]) throws {
    let ordered = try patterns.map { try ModelPattern($0) }
    let model = try ModelName(name)
    for (index, pattern) in ordered.enumerated() {
      #expect(pattern.matches(model), "\(pattern.text)")
      for more in ordered[(index + 1)...] {
        #expect(pattern < more && !(more < pattern), "\(pattern.text) \(more.text)")
      }
    }
    #expect(ordered.shuffled().sorted() == ordered)
  }

  @Test(arguments: table)
  func `the most specific rule alone applies`(name: String, patterns: [String]) throws {
    let model = try ModelName(name)
    let (a, _, _) = try Samples.signers()
    var policy = TrustPolicy()
    for pattern in patterns.shuffled() {
      policy = try policy.adding([a.trusted()], for: ModelPattern(pattern), threshold: 1)
    }
    for pattern in patterns.reversed() {
      #expect(policy.rule(for: model)?.models.text == pattern)
      policy = try policy.removing(ModelPattern(pattern))
    }
    #expect(policy.rule(for: model) == nil)
  }

  @Test func `a wider rule never helps out a narrower one`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a], for: "*")
      .adding([b.trusted()], for: ModelPattern("tiny"), threshold: 1)
    let bytes = try Samples.release("tiny").manifest(signedBy: [a])
    #expect(
      throws: TrustError.tooFewSigners(
        rule: try TrustRule(models: ModelPattern("tiny"), keys: [b.fingerprint], threshold: 1),
        counted: [],
        ignored: [IgnoredSigner(key: a.trusted(), reason: .notInRule)]
      )
    ) { try policy.accept(bytes, at: Samples.now) }
    let other = try Samples.release("other").manifest(signedBy: [a])
    #expect(try policy.accept(other, at: Samples.now).rule.models.text == "*")
  }
}
